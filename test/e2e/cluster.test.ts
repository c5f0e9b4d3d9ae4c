// Goal: the client and three real nodes make keys and signatures that others accept, and go on when a node is killed.
// Method: real processes over TLS; every signature is verified against the derived key; nodes are killed by SIGKILL
// between and during the work, and started again.
import { createPrivateKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { v4 } from 'uuid';
import { recoverTypedDataAddress, type TypedDataDefinition } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evmAddress } from '../../activities/chains/evm/key-address.ts';
import { type ClusterConfig, clusterOf, connectCluster } from '../../activities/mpc/client/connect-cluster.ts';
import { type Cluster, ClusterError, type Payload, type PublicKey, type Signature } from '../../activities/mpc/port.ts';
import { NodeConnection } from '../../activities/mpc/transport/node-connection.ts';
import type { RequestBody } from '../../activities/mpc/transport/wire.ts';
import { ed25519PublicKey, parseClusterFile } from '../../activities/mpc/verify/cluster-file.ts';
import { deriveChild } from '../../activities/mpc/verify/derive-child-key.ts';
import { encodeSignature, verifySignature } from '../../activities/mpc/verify/verify-signature.ts';
import { type Curve, curves } from '../../domain/statuses.ts';
import { anySignature } from '../support/cluster/any-signature.ts';
import { startTestCluster, type TestCluster } from '../support/cluster/cluster.ts';

const walletId = v4();
const roots = new Map<Curve, PublicKey>();
const others: Cluster[] = [];
let nodes: TestCluster;

beforeAll(async () => {
  nodes = await startTestCluster();
  for (const curve of curves) roots.set(curve, await nodes.cluster.generateKey({ walletId, curve }));
}, 300_000);

afterEach(async () => {
  await Promise.all(others.splice(0).map((cluster) => cluster.close()));
});

afterAll(async () => {
  await nodes?.stop();
});

function connect(config: ClusterConfig = nodes.config): Cluster {
  const cluster = connectCluster(config);
  others.push(cluster);
  return cluster;
}

/** Like `connect`, with a hook before every request. */
function connectThrough(before: (body: RequestBody, node: number) => Promise<void>): Cluster {
  const { nodes: addresses, clusterFile, credentialsDir } = nodes.config;
  const file = parseClusterFile(readFileSync(clusterFile, 'utf8'));
  const credential = (name: string) => readFileSync(join(credentialsDir, name), 'utf8');
  const tls = { clientCertificate: credential('tls.crt'), clientKey: credential('tls.key') };
  const transports = file.nodes.map(({ index, tlsCertificate }) => {
    const address = addresses.get(index);
    if (address === undefined) throw new Error('no address');
    const connection = new NodeConnection(index, address, { ...tls, nodeCertificate: tlsCertificate });
    const call = connection.call.bind(connection);
    connection.call = async (body, timeoutMs) => {
      await before(body, index);
      return call(body, timeoutMs);
    };
    return connection;
  });
  const commander = { roster: file.roster, commandKey: createPrivateKey(credential('command.key')) };
  const cluster = clusterOf(file, commander, transports);
  others.push(cluster);
  return cluster;
}

function rootOf(curve: Curve): PublicKey {
  const root = roots.get(curve);
  if (root === undefined) throw new Error('no key');
  return root;
}

const rawDigest = (): Payload => ({ kind: 'raw_digest', digest: randomBytes(32) });

async function signVerified(
  curve: Curve,
  path: readonly number[] = [0],
  payload = rawDigest(),
  cluster = nodes.cluster,
): Promise<Signature> {
  const signature = await cluster.sign({ operationId: v4(), attempt: 1, walletId, curve, path, payload }, anySignature);
  verifySignature({ curve, root: rootOf(curve), path, payload, signature });
  return signature;
}

/** A retryable failure is what a caller sees while a node is away; anything else is a defect. */
async function untilDone<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ClusterError) || !error.retryable || attempt === 30) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

describe.each(curves)('on %s', (curve) => {
  it('signs 50 times, on several paths, with every quorum', async () => {
    const paths = [[], [0], [44, 60, 0, 0, 7], [2 ** 31 - 1, 1], Array.from({ length: 10 }, (_, index) => index)];
    const quorums = new Set<string>();
    for (let count = 0; count < 50; count += 1) {
      quorums.add((await signVerified(curve, paths[count % paths.length])).signers.join('+'));
    }
    expect([...quorums].sort()).toEqual(['1+2', '1+3', '2+3']);
  }, 120_000);

  it('signs 60 at once with one key', async () => {
    await Promise.all(Array.from({ length: 60 }, () => signVerified(curve)));
  }, 120_000);

  it('finds the key that exists', async () => {
    expect(await connect().generateKey({ walletId, curve })).toEqual(rootOf(curve));
  });

  it.each([1, 2, 3])(
    'goes on without node %i, killed in the middle of the work',
    async (dead) => {
      const work = Array.from({ length: 40 }, async (_, number) => {
        await new Promise((resolve) => setTimeout(resolve, number * 8));
        return signVerified(curve);
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await nodes.kill(dead);
      await Promise.all(work);
      expect((await signVerified(curve)).signers).not.toContain(dead);
      await nodes.restart(dead);
      await expect.poll(async () => (await signVerified(curve)).signers.includes(dead), { timeout: 60_000 }).toBe(true);
    },
    120_000,
  );
});

it('goes on without a node that hangs, and soon without waiting for it', async () => {
  process.kill(nodes.pidOf(2), 'SIGSTOP');
  try {
    await Promise.all(Array.from({ length: 6 }, () => signVerified('ed25519')));
    const begunMs = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => signVerified('ed25519')));
    expect(performance.now() - begunMs).toBeLessThan(5_000);
  } finally {
    process.kill(nodes.pidOf(2), 'SIGCONT');
  }
  await expect.poll(async () => (await signVerified('ed25519')).signers.includes(2), { timeout: 60_000 }).toBe(true);
}, 120_000);

it.each<[string, Payload]>([
  [
    'a transaction',
    {
      kind: 'evm_transaction',
      unsigned: Buffer.from('02e80180843b9aca0084773594008252089400000000000000000000000000000000', 'hex'),
    },
  ],
  ['a message', { kind: 'evm_message', text: Buffer.from('grüß dich') }],
  ['a message of 64 KiB', { kind: 'evm_message', text: randomBytes(65_536) }],
])('signs the content of %s, which the nodes hash themselves', async (_what, payload) => {
  await signVerified('secp256k1', [1], payload);
});

it('signs typed data, which the nodes hash themselves, for the address of its child key', async () => {
  const document = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallets', type: 'address[]' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person[2]' },
        { name: 'change', type: 'int64' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Ether Mail', chainId: 1 },
    message: {
      from: { name: 'Cow', wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
      to: [
        { name: 'Bob', wallets: [] },
        { name: 'grüß dich', wallets: [`0x${'22'.repeat(20)}`] },
      ],
      change: '-5',
    },
  } as const;
  const path = [44, 60, 1];
  const signature = await signVerified('secp256k1', path, { kind: 'evm_typed_data', typedData: document });
  const recovered = await recoverTypedDataAddress({
    ...(document as unknown as TypedDataDefinition),
    signature: encodeSignature('secp256k1', signature),
  });
  expect(recovered).toBe(evmAddress(deriveChild('secp256k1', rootOf('secp256k1'), path)));
});

it('signs a Solana message itself, for a signer of it only', async () => {
  const [path, other] = [
    [44, 501],
    [44, 502],
  ];
  const key = deriveChild('ed25519', rootOf('ed25519'), path);
  // A transfer of a lamport: one signer, the receiver, the system program; then the blockhash and the instruction.
  const keys = [key, Buffer.alloc(32, 6), Buffer.alloc(32)];
  const transfer = Buffer.from('020200010c020000000100000000000000', 'hex');
  const message = Buffer.concat([Buffer.of(1, 0, 1, 3), ...keys, randomBytes(32), Buffer.of(1), transfer]);
  const payload: Payload = { kind: 'solana_transaction', message };
  const signature = await signVerified('ed25519', path, payload);
  expect(verify(null, message, ed25519PublicKey(key), signature.bytes)).toBe(true);
  await expect(signVerified('ed25519', other, payload)).rejects.toMatchObject({ code: 'mpc_refused' });
});

it('signs the inputs of a Bitcoin transaction by what they spend, for their own key and with one story of the coins only', async () => {
  const path = [84, 0, 5];
  const { script } = p2wpkh(deriveChild('secp256k1', rootOf('secp256k1'), path));
  const transaction = new Transaction();
  const coins = [70_000n, 30_000n].map((amount) => ({ amount, script }));
  for (const { amount } of coins)
    transaction.addInput({ txid: randomBytes(32), index: 1, witnessUtxo: { script, amount } });
  transaction.addOutput({ script: p2wpkh(deriveChild('secp256k1', rootOf('secp256k1'), [1])).script, amount: 99_000n });
  const input = { kind: 'bitcoin_input', transaction: transaction.unsignedTx, coins } as const;
  await signVerified('secp256k1', path, { ...input, index: 0 });
  await expect(signVerified('secp256k1', [84, 0, 6], { ...input, index: 1 })).rejects.toMatchObject({
    code: 'mpc_refused',
    message: expect.stringContaining("not this key's to spend"),
  });
  const less = coins.map((coin, index) => (index === 0 ? { ...coin, amount: 69_000n } : coin));
  await expect(signVerified('secp256k1', path, { ...input, coins: less, index: 1 })).rejects.toMatchObject({
    code: 'mpc_refused',
    message: expect.stringContaining('another message'),
  });
  await signVerified('secp256k1', path, { ...input, index: 1 });
});

it('binds an operation to its message', async () => {
  const operation = { operationId: v4(), attempt: 1, walletId, curve: 'secp256k1', path: [0] } as const;
  const payload = rawDigest();
  await nodes.cluster.sign({ ...operation, payload }, anySignature);
  await nodes.cluster.sign({ ...operation, attempt: 2, payload }, anySignature);
  const other = nodes.cluster.sign({ ...operation, attempt: 3, payload: rawDigest() }, anySignature);
  await expect(other).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
});

it('does not sign for a wallet without a key', async () => {
  const unknown = nodes.cluster.sign(
    {
      operationId: v4(),
      attempt: 1,
      walletId: v4(),
      curve: 'ed25519',
      path: [],
      payload: rawDigest(),
    },
    anySignature,
  );
  await expect(unknown).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
});

describe('a new key', () => {
  it.each(curves)(
    'on %s waits for the node that is away',
    async (curve) => {
      await nodes.kill(2);
      const request = { walletId: v4(), curve };
      await expect(nodes.cluster.generateKey(request)).rejects.toMatchObject({
        code: 'cluster_not_ready',
        retryable: true,
        node: 2,
      });
      await nodes.restart(2);
      const key = await untilDone(() => nodes.cluster.generateKey(request));
      expect(await connect().generateKey(request)).toEqual(key);
    },
    120_000,
  );

  const moments: [Curve, string, (body: RequestBody, node: number) => boolean][] = [
    ['ed25519', 'before it is asked anything', ({ kind }) => kind === 'KeyState'],
    ['ed25519', 'before it opens the session', ({ kind }) => kind === 'Open'],
    ['ed25519', 'before the first round', ({ kind }) => kind === 'Start'],
    ['ed25519', 'before the last round', (body) => body.kind === 'Continue' && body.round === 5],
    ['ed25519', 'after it has prepared, before anyone commits', ({ kind }, node) => kind === 'Commit' && node === 1],
    ['ed25519', 'after others have committed', ({ kind }, node) => kind === 'Commit' && node === 3],
    ['secp256k1', 'before the last round', (body) => body.kind === 'Continue' && body.round === 6],
    ['secp256k1', 'after it has prepared, before anyone commits', ({ kind }, node) => kind === 'Commit' && node === 1],
    ['secp256k1', 'after others have committed', ({ kind }, node) => kind === 'Commit' && node === 3],
  ];
  it.each(moments)(
    'on %s converges when a node is killed %s',
    async (curve, _moment, isMoment) => {
      const request = { walletId: v4(), curve };
      let killed: Promise<void> | undefined;
      const cluster = connectThrough(async (body, node) => {
        if (isMoment(body, node)) killed ??= nodes.kill(3);
        await killed;
      });
      const attempt = cluster.generateKey(request);
      await expect(attempt).rejects.toMatchObject({ code: 'cluster_not_ready', retryable: true });
      expect(killed).toBeDefined();
      await nodes.restart(3);
      const key = await untilDone(() => nodes.cluster.generateKey(request));
      expect(await connect().generateKey(request)).toEqual(key);
    },
    120_000,
  );

  it('is the same for two orchestrators that race', async () => {
    const request = { walletId: v4(), curve: 'ed25519' } as const;
    const keys = await Promise.all(
      [connect(), connect()].map((cluster) => untilDone(() => cluster.generateKey(request))),
    );
    expect(keys[0]).toEqual(keys[1]);
  });
});

describe('an impostor', () => {
  /** The real certificates and cluster file, except for what `change` replaces. */
  async function withChanged(
    change: (copy: {
      directory: string;
      file: { orchestrator: { command_public_key: string }; nodes: { tls_certificate: string }[] };
    }) => void,
    then: (cluster: Cluster) => Promise<void>,
  ) {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-impostor-'));
    try {
      for (const name of ['command.key', 'tls.key', 'tls.crt'])
        copyFileSync(join(nodes.config.credentialsDir, name), join(directory, name));
      const file = JSON.parse(readFileSync(nodes.config.clusterFile, 'utf8'));
      change({ directory, file });
      writeFileSync(join(directory, 'cluster.json'), JSON.stringify(file));
      await then(connect({ ...nodes.config, clusterFile: join(directory, 'cluster.json'), credentialsDir: directory }));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  it('with another command key is refused', async () => {
    await withChanged(
      ({ directory, file }) => {
        const { publicKey, privateKey } = generateKeyPairSync('ed25519');
        writeFileSync(join(directory, 'command.key'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
        file.orchestrator.command_public_key = Buffer.from(
          publicKey.export({ format: 'jwk' }).x ?? '',
          'base64url',
        ).toString('hex');
      },
      async (cluster) => {
        await expect(signVerified('ed25519', [], rawDigest(), cluster)).rejects.toMatchObject({ code: 'mpc_refused' });
      },
    );
  });

  it('with another TLS identity reaches no node', async () => {
    await withChanged(
      ({ directory }) => {
        // Somebody else's certificate: here the one of a node, with its own key.
        const node = join(nodes.config.clusterFile, '..', 'node-1');
        for (const name of ['tls.key', 'tls.crt']) copyFileSync(join(node, name), join(directory, name));
      },
      async (cluster) => {
        await expect(signVerified('ed25519', [], rawDigest(), cluster)).rejects.toMatchObject({
          code: 'cluster_not_ready',
        });
      },
    );
  });

  it("in a node's place is not spoken to", async () => {
    await withChanged(
      ({ file }) => {
        const [first, second] = file.nodes;
        if (first && second)
          [first.tls_certificate, second.tls_certificate] = [second.tls_certificate, first.tls_certificate];
      },
      async (cluster) => {
        const health = await cluster.health();
        expect(health.map(({ reachable }) => reachable)).toEqual([false, false, true]);
      },
    );
  });

  it('whose command key is not the one in the cluster file does not start', async () => {
    const change = ({ file }: { file: { orchestrator: { command_public_key: string } } }) => {
      file.orchestrator.command_public_key = '00'.repeat(32);
    };
    await expect(withChanged(change, () => Promise.resolve())).rejects.toThrow(/command\.key/);
  });
});

it('shows the health of every node, dead or alive', async () => {
  await nodes.kill(1);
  const [first, second, third] = await nodes.cluster.health();
  expect(first).toMatchObject({ node: 1, reachable: false });
  expect(first?.reason).toMatch(/node 1/);
  for (const node of [second, third]) {
    expect(node).toMatchObject({ reachable: true, liveSessions: 0, bans: [] });
    expect(node?.keys).toBeGreaterThan(1);
    expect(node?.reason).toBeUndefined();
  }
  await nodes.restart(1);
  await expect
    .poll(async () => (await nodes.cluster.health()).every(({ reachable }) => reachable), { timeout: 60_000 })
    .toBe(true);
});

it('finds a disk that was put back to an earlier state, signs without it, and with it once it is restored', async () => {
  const folder = join(nodes.directory, 'node-1');
  const key = join(nodes.directory, 'keys', 'node-1.key');
  const earlier = join(nodes.directory, 'node-1-earlier');
  await nodes.kill(1);
  cpSync(folder, earlier, { recursive: true });
  await nodes.restart(1);
  const ofNode = async (cluster: Cluster) => (await cluster.health())[0];
  // A client that connects brings the others what node 1 says by then.
  await expect.poll(async () => (await signVerified('ed25519')).signers.includes(1), { timeout: 60_000 }).toBe(true);
  expect((await ofNode(connect()))?.reason).toBeUndefined();
  await nodes.kill(1);
  rmSync(folder, { recursive: true });
  cpSync(earlier, folder, { recursive: true });
  await nodes.restart(1);
  expect((await ofNode(connect()))?.reason).toMatch(/set back/);
  for (const curve of curves) expect((await untilDone(() => signVerified(curve))).signers).toEqual([2, 3]);
  await nodes.kill(1);
  const offline = join(nodes.directory, 'offline');
  const made = (await nodes.run('init-backup', '--dir', offline)) as { backup_public_key: string };
  const backup = join(nodes.directory, 'backup');
  const places = ['--dir', folder, '--store-key-file', key];
  await nodes.run('backup', '--index', '1', '--to', backup, '--backup-public-key', made.backup_public_key, ...places);
  rmSync(folder, { recursive: true });
  rmSync(key);
  const trusted = [
    '--backup-key-file',
    join(offline, 'backup.key'),
    '--cluster',
    join(nodes.directory, 'cluster.json'),
  ];
  await nodes.run('restore', '--from', backup, ...trusted, ...places);
  await nodes.restart(1);
  const after = await ofNode(connect());
  expect(after).toMatchObject({ reachable: true });
  expect(after?.reason).toBeUndefined();
});

it('fails at once after it was closed', async () => {
  const cluster = connect();
  await signVerified('ed25519', [], rawDigest(), cluster);
  await cluster.close();
  await expect(signVerified('ed25519', [], rawDigest(), cluster)).rejects.toMatchObject({ code: 'cluster_not_ready' });
});
