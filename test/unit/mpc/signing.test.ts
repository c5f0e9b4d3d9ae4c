// Goal: any two of three nodes sign, one bad or dead node stops nothing, and a call ends with the failure that tells
// the caller what to do. Method: a node is killed, busy, banned or lying at every request of a signature in turn; the
// result is verified against the wallet's key.
import { generateKeyPairSync } from 'node:crypto';
import { v4 } from 'uuid';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lastSigningRound } from '../../../activities/mpc/client/signing.ts';
import type { PublicKey, Signature, SignRequest } from '../../../activities/mpc/port.ts';
import { decode } from '../../../activities/mpc/transport/borsh.ts';
import { command, type RefusalCode, type ResponseBody } from '../../../activities/mpc/transport/wire.ts';
import { verifySignature } from '../../../activities/mpc/verify/verify-signature.ts';
import { curves } from '../../../domain/statuses.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { FakeWorld } from './fake-nodes.ts';

const payload = { kind: 'raw_digest', digest: Buffer.alloc(32, 5) } as const;

describe.each(curves)('on %s', (curve) => {
  const world = new FakeWorld();
  const walletId = v4();
  let root: PublicKey;

  beforeAll(async () => {
    root = await world.orchestrator().generateKey({ walletId, curve });
  });

  const request = (): SignRequest => ({ operationId: v4(), attempt: 1, walletId, curve, path: [], payload });

  /** The nodes that signed. */
  const verified = (signature: Signature): readonly number[] => {
    verifySignature({ curve, root, path: [], payload, signature });
    return signature.signers;
  };

  async function expectSignature(signers?: number[]): Promise<void> {
    const by = await world.orchestrator().sign(request(), verified);
    if (signers !== undefined) expect(by).toEqual(signers);
  }

  const rejection = (change: Partial<SignRequest> = {}, abort?: AbortSignal) =>
    world
      .orchestrator()
      .sign({ ...request(), ...change }, anySignature, abort)
      .catch((error: unknown) => error);

  it('spreads signatures over the three quorums', async () => {
    world.restartAll();
    const cluster = world.orchestrator();
    const used = new Map<string, number>();
    for (let count = 0; count < 30; count += 1) {
      const { signers } = await cluster.sign(request(), anySignature);
      used.set(signers.join('+'), (used.get(signers.join('+')) ?? 0) + 1);
    }
    expect(Object.fromEntries(used)).toEqual({ '1+2': 10, '1+3': 10, '2+3': 10 });
  });

  it.each(['before', 'after'] as const)('goes on when a node dies at any request, %s it', async (moment) => {
    for (let turn = 1, struck = true; struck; turn += 1) {
      world.restartAll();
      struck = false;
      let made = 0;
      world.faults = {
        [moment]: (node: { kill(): void }, _body: unknown, answer: unknown) => {
          made += 1;
          if (made === turn) {
            struck = true;
            node.kill();
          }
          return answer;
        },
      };
      await expectSignature();
      expect(turn).toBeLessThan(50);
    }
  });

  it('a node that hangs at any request costs a signature less than two seconds, and the next ones nothing', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const silent of ['Open', 'Start', 'Continue']) {
      for (const hanging of [1, 2, 3]) {
        world.restartAll();
        const waitsMs: number[] = [];
        world.faults = {
          hangs: (node, body, timeoutMs) => {
            const dropping = body.kind === 'Continue' && body.round === 0;
            const hangs = node.index === hanging && body.kind === silent && !dropping;
            if (hangs) waitsMs.push(timeoutMs);
            return hangs;
          },
        };
        const cluster = world.orchestrator();
        for (let count = 0; count < 6; count += 1)
          expect((await cluster.sign(request(), anySignature)).signers).toHaveLength(2);
        expect(waitsMs).toHaveLength(1);
        expect(waitsMs[0]).toBeLessThan(2_000);
      }
    }
  });

  // The curve makes no difference to who is waited for.
  describe.runIf(curve === 'ed25519')('a node that answers just under the time limit', () => {
    const slowed = async (slow: Readonly<Record<number, number>>, count: number) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const fresh = new FakeWorld();
      const key = await fresh.orchestrator().generateKey({ walletId, curve });
      for (const node of fresh.nodes) {
        const call = node.call.bind(node);
        node.call = async (body, timeoutMs) => {
          const delayMs = slow[node.index];
          if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
          return call(body, timeoutMs);
        };
      }
      const cluster = fresh.orchestrator();
      const signatures: { tookMs: number; signers: string }[] = [];
      const sign = async () => {
        const begunMs = performance.now();
        const signature = await cluster.sign(request(), anySignature);
        verifySignature({ curve, root: key, path: [], payload, signature });
        signatures.push({ tookMs: performance.now() - begunMs, signers: signature.signers.join('+') });
      };
      for (let made = 0; made < count; made += 1) await sign();
      return { fresh, sign, signatures };
    };

    it('costs one signature less than two seconds, and the next ones nothing', async () => {
      const { signatures } = await slowed({ 3: 1_200 }, 9);
      expect(new Set(signatures.map(({ signers }) => signers))).toEqual(new Set(['1+2']));
      expect(Math.max(...signatures.map(({ tookMs }) => tookMs))).toBeLessThan(3_000);
      expect(signatures.filter(({ tookMs }) => tookMs > 1_000)).toHaveLength(1);
    }, 60_000);

    it('is tried again by one signature only, after a while', async () => {
      const { sign, signatures } = await slowed({ 3: 400 }, 3);
      vi.setSystemTime(Date.now() + 10_001);
      for (let made = 0; made < 6; made += 1) await sign();
      expect(signatures.slice(3).filter(({ signers }) => signers !== '1+2').length).toBeLessThan(2);
      vi.setSystemTime(Date.now() + 10_001);
      await sign();
      expect(signatures.at(-1)?.signers).toBe('1+2');
    }, 60_000);

    it('signs when there is no other', async () => {
      const { fresh, sign, signatures } = await slowed({ 3: 500 }, 3);
      fresh.node(1).kill();
      for (let made = 0; made < 2; made += 1) await sign();
      expect(signatures.slice(-2).map(({ signers }) => signers)).toEqual(['2+3', '2+3']);
    }, 60_000);
  });

  it('has patience with the last quorum', async () => {
    world.restartAll();
    const waitsMs: number[] = [];
    world.faults = {
      hangs: (_node, body, timeoutMs) => {
        if (body.kind === 'Start') waitsMs.push(timeoutMs);
        return body.kind === 'Start';
      },
    };
    expect(await rejection()).toMatchObject({ code: 'cluster_not_ready' });
    expect(waitsMs).toEqual([1_500, 1_500, 1_500, 1_500, 10_000, 10_000]);
  });

  const survivable: RefusalCode[] = [
    'Busy',
    'SessionAborted',
    'UnknownSession',
    'Internal',
    'Banned',
    'Unauthorized',
    'MessageConflict',
    'ShareUnreadable',
  ];
  it.each(survivable)('goes on when one node answers %s, whenever it does', async (code) => {
    for (const kind of ['Open', 'Start', 'Continue']) {
      for (const bad of [1, 2, 3]) {
        world.restartAll();
        world.faults = { before: (node, body) => (node.index === bad && body.kind === kind ? code : undefined) };
        await expectSignature([1, 2, 3].filter((index) => index !== bad));
      }
    }
  });

  it('leaves no session behind at the nodes that live on', async () => {
    const fresh = new FakeWorld();
    await fresh.orchestrator().generateKey({ walletId, curve });
    fresh.faults = {
      before: (node, body) => (node.index === 1 && body.kind === 'Continue' && body.round === 2 ? 'Busy' : undefined),
    };
    const cluster = fresh.orchestrator();
    for (let count = 0; count < 6; count += 1) await cluster.sign(request(), anySignature);
    expect(fresh.node(1).asked.filter((kind) => kind === 'Open').length).toBeGreaterThan(2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fresh.nodes.map(({ liveSessions }) => liveSessions)).toEqual([0, 0, 0]);
  });

  const lies = (node: { index: number }, answer: ResponseBody, ...liars: number[]): ResponseBody =>
    liars.includes(node.index) && answer.kind === 'Round' && answer.outcome?.kind === 'Signature'
      ? { ...answer, outcome: { ...answer.outcome, bytes: Buffer.alloc(64, 1) } }
      : answer;
  const lastRound = lastSigningRound[curve];

  it('takes the honest answer when the other node lies about the signature', async () => {
    world.restartAll();
    world.faults = { after: (node, _body, answer) => lies(node, answer, 2) };
    for (let count = 0; count < 6; count += 1) await expectSignature();
  });

  it('goes on with other nodes when one lies and has made the honest one stop in the last round', async () => {
    world.restartAll();
    world.faults = {
      before: (node, body) =>
        node.index !== 2 && body.kind === 'Continue' && body.round === lastRound && body.inbound[0]?.peer === 2
          ? 'SessionAborted'
          : undefined,
      after: (node, _body, answer) => lies(node, answer, 2),
    };
    for (let count = 0; count < 6; count += 1) await expectSignature([1, 3]);
  });

  it('says that the signature may exist when all lie, and that the same call may yet succeed', async () => {
    world.restartAll();
    world.faults = { after: (node, _body, answer) => lies(node, answer, 1, 2, 3) };
    const failed = world.orchestrator().sign(request(), verified);
    await expect(failed).rejects.toMatchObject({ code: 'signature_invalid', retryable: true, mayBeSigned: true });
  });

  it('knows from which round on a node may have the signature', async () => {
    for (let round = 0; round <= lastRound; round += 1) {
      world.restartAll();
      world.faults = {
        before: (_node, body) => {
          const at = body.kind === 'Open' ? 0 : body.kind === 'Start' ? 1 : body.kind === 'Continue' ? body.round : -1;
          return at === round ? 'Internal' : undefined;
        },
      };
      expect(await rejection()).toMatchObject({ code: 'mpc_error', mayBeSigned: round >= lastRound - 1 });
    }
  });

  it('uses a fresh command for every session of one operation', async () => {
    world.restartAll();
    const commands = new Set<string>();
    const operations = new Set<string>();
    world.faults = {
      before: (node, body) => {
        if (body.kind === 'Open') {
          const { commandId, operation } = decode(command, body.command);
          commands.add(Buffer.from(commandId).toString('hex'));
          operations.add(
            operation.kind === 'Sign'
              ? `${Buffer.from(operation.operationId).toString('hex')} ${operation.attempt}`
              : '',
          );
        }
        return node.index === 1 && body.kind === 'Start' ? 'Busy' : undefined;
      },
    };
    const cluster = world.orchestrator();
    await cluster.sign({ ...request(), attempt: 9 }, anySignature);
    await cluster.sign({ ...request(), attempt: 9 }, anySignature);
    expect(operations.size).toBe(2);
    expect(commands.size).toBeGreaterThan(2);
    for (const operation of operations) expect(operation).toMatch(/ 9$/);
  });

  const final: [RefusalCode, string, boolean][] = [
    ['Busy', 'cluster_busy', true],
    ['SessionAborted', 'mpc_error', true],
    ['VersionMismatch', 'cluster_not_ready', true],
    ['RosterMismatch', 'cluster_not_ready', true],
    ['Banned', 'counterparty_banned', false],
    ['Unauthorized', 'mpc_refused', false],
    ['UnknownWallet', 'mpc_refused', false],
    ['MessageConflict', 'mpc_refused', false],
    ['PolicyRefused', 'policy_refused', false],
    ['Paused', 'cluster_not_ready', true],
  ];
  it.each(final)('says %s of all nodes as %s', async (refusal, code, retryable) => {
    world.restartAll();
    world.faults = { before: () => refusal };
    expect(await rejection()).toMatchObject({ name: 'ClusterError', code, retryable });
  });

  it('does not take a refusal for final while another node is away', async () => {
    world.restartAll();
    world.node(3).kill();
    world.faults = { before: (node) => (node.index === 1 ? 'MessageConflict' : undefined) };
    expect(await rejection()).toMatchObject({ code: 'cluster_not_ready' });
  });

  it('signs without a node whose hellos its peers do not accept', async () => {
    world.restartAll();
    world.faults = {
      after: (node, body, answer) => {
        if (body.kind !== 'Start' || !body.hellos.some((hello) => hello.node === 2)) return answer;
        const detail = 'A hello does not verify for this command, key and version.';
        return node.index === 2 ? answer : { kind: 'Refused', code: 'Unauthorized', peer: 2, detail };
      },
    };
    const cluster = world.orchestrator();
    for (let count = 0; count < 6; count += 1)
      expect((await cluster.sign(request(), anySignature)).signers).toEqual([1, 3]);
  });

  it('is not ready with one node', async () => {
    world.restartAll();
    world.node(1).kill();
    world.node(2).kill();
    expect(await rejection()).toMatchObject({ code: 'cluster_not_ready', retryable: true });
  });

  it('remembers a banned quorum and does not ask it again', async () => {
    world.restartAll();
    const refused: string[] = [];
    world.faults = {
      before: (node, body) => {
        if (body.kind !== 'Open') return undefined;
        const { operation } = decode(command, body.command);
        const banned = operation.kind === 'Sign' && [...operation.signers].join('+') === '1+2';
        if (banned) refused.push(`node ${node.index}`);
        return banned ? 'Banned' : undefined;
      },
    };
    const cluster = world.orchestrator();
    for (let count = 0; count < 9; count += 1)
      expect((await cluster.sign(request(), anySignature)).signers).not.toEqual([1, 2]);
    expect(refused.sort()).toEqual(['node 1', 'node 2']);
  });

  it('is refused with another command key', async () => {
    world.restartAll();
    const { privateKey } = generateKeyPairSync('ed25519');
    const impostor = world.orchestrator({ ...world.commander, commandKey: privateKey });
    await expect(impostor.sign(request(), anySignature)).rejects.toMatchObject({
      code: 'mpc_refused',
      retryable: false,
    });
  });

  it('ends when the caller withdraws', async () => {
    world.restartAll();
    const abort = new AbortController();
    world.faults = {
      before: (_node, body) => {
        if (body.kind === 'Start') abort.abort();
        return undefined;
      },
    };
    expect(await rejection({}, abort.signal)).toMatchObject({ code: 'aborted' });
    expect(await rejection({}, AbortSignal.abort())).toMatchObject({ code: 'aborted' });
  });

  it.each<[string, Partial<SignRequest>]>([
    ['a hardened path', { path: [2 ** 31] }],
    ['a short digest', { payload: { kind: 'raw_digest', digest: Buffer.alloc(31) } }],
    ['a payload above 64 KiB', { curve: 'secp256k1', payload: { kind: 'evm_message', text: Buffer.alloc(65_537) } }],
    ['an EVM message on ed25519', { curve: 'ed25519', payload: { kind: 'evm_message', text: Buffer.alloc(1) } }],
    ['an operation id that is no UUID', { operationId: 'x' }],
    ['an attempt that is no number', { attempt: Number.NaN }],
  ])('refuses %s before it asks a node', async (_what, change) => {
    world.restartAll();
    const asked = world.nodes.map((node) => node.asked.length);
    expect(await rejection(change)).toMatchObject({ code: 'invalid_request', retryable: false });
    expect(world.nodes.map((node) => node.asked.length)).toEqual(asked);
  });
});
