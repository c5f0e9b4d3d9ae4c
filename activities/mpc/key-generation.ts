// Creates a wallet's key on all nodes, or finds the one that exists; every step may be repeated after a crash at any point:
// 1. ask every node for the key's state; a committed one goes on at 3 with the confirmations that the node shows
// 2. generate: every node prepares its share and confirms the key (what a crash leaves behind stays prepared, and the nodes drop it later)
// 3. commit: the lowest node first. It decides between two generations that race; the other nodes follow it
// 4. a test signature by every quorum, each verified, before anyone may publish an address
// Must not return a key that one node has not committed or one quorum cannot sign with.
import { parse, v4 } from 'uuid';
import type { Curve } from '../../drizzle/status.ts';
import { askNodes, outOfTurn } from './ask-nodes.ts';
import { ClusterError, type GenerateKeyRequest, type PublicKey } from './cluster.ts';
import type { ClusterFile } from './cluster-file.ts';
import { type Commander, signCommand } from './command.ts';
import { keyTestDigest } from './digest.ts';
import { confirmedKey, sameStatement, type WantedKey } from './key-confirmation.ts';
import type { NodeTransport } from './node-transport.ts';
import type { Quorum } from './quorum.ts';
import { NodeRefusal } from './refusal.ts';
import { runSession, SessionFailure } from './session.ts';
import { signWithQuorum } from './signing.ts';
import { verifyDigestSignature } from './verify-signature.ts';
import type { Confirmation } from './wire.ts';

const stateTimeoutMs = 5_000;
const commitTimeoutMs = 10_000;
const roundTimeoutMs = 30_000;
const lastRound: Readonly<Record<Curve, number>> = { secp256k1: 6, ed25519: 5 };
/** A lost race is settled by looking again; more than one loss in a row means that something else is wrong. */
const maxLooks = 3;

export interface KeyGenerationContext {
  cluster: ClusterFile;
  commander: Commander;
  /** Every node of the cluster, ascending. */
  nodes: readonly NodeTransport[];
  quorums: readonly Quorum[];
}

export async function generateKey(context: KeyGenerationContext, request: GenerateKeyRequest): Promise<PublicKey> {
  const wanted: WantedKey = { walletId: parse(request.walletId), curve: request.curve };
  try {
    for (let look = 1; ; look += 1) {
      const confirmations = (await committed(context, wanted)) ?? (await generate(context, wanted));
      const key = confirmations && (await commit(context, wanted, confirmations));
      if (key !== undefined) {
        await testEveryQuorum(context, wanted, key);
        return key;
      }
      if (look === maxLooks) throw new ClusterError('mpc_error', 'the nodes do not agree on which key to commit');
    }
  } catch (error) {
    throw error instanceof SessionFailure ? mostTelling(error.errors) : error;
  }
}

/** The confirmations of the key that at least one node has committed. */
async function committed({ nodes }: KeyGenerationContext, wanted: WantedKey): Promise<Confirmation[] | undefined> {
  const { values, errors } = await askNodes(nodes, {
    ask: () => ({ kind: 'KeyState', ...wanted }),
    read: (body, node) => {
      if (body.kind !== 'KeyState') throw outOfTurn(node);
      return body.state.kind === 'Committed' ? [body.state.confirmations] : [];
    },
    timeoutMs: stateTimeoutMs,
  });
  if (errors.length > 0) throw mostTelling(errors);
  const [found, ...others] = values.flat();
  const [first] = found ?? [];
  const contradicted = others.some(
    ([other]) => first !== undefined && (other === undefined || !sameStatement(first, other)),
  );
  if (contradicted) throw new ClusterError('mpc_refused', 'the nodes have committed different keys for this wallet');
  return found;
}

/** `undefined` when another generation was committed meanwhile. */
async function generate(
  { cluster, commander, nodes }: KeyGenerationContext,
  wanted: WantedKey,
): Promise<Confirmation[] | undefined> {
  const participants = Buffer.from(nodes.map(({ index }) => index));
  const { threshold } = cluster;
  const signed = signCommand(commander, { kind: 'GenerateKey', ...wanted, threshold, nodes: participants });
  const session = { nodes, signed, lastRound: lastRound[wanted.curve], requestTimeoutMs: roundTimeoutMs };
  const { values, errors } = await runSession(session);
  if (errors.some(isLostRace)) return undefined;
  if (errors.length > 0) throw mostTelling(errors);
  return values.map((outcome) => {
    if (outcome.kind !== 'Key') throw new ClusterError('mpc_error', 'a node ended the key generation without a key');
    return outcome.confirmation;
  });
}

/** `undefined` when another generation was committed first. Idempotent at the nodes. */
async function commit(
  { cluster, nodes }: KeyGenerationContext,
  wanted: WantedKey,
  confirmations: Confirmation[],
): Promise<PublicKey | undefined> {
  const key = confirmedKey(cluster, wanted, confirmations);
  for (const group of [nodes.slice(0, 1), nodes.slice(1)]) {
    const { errors } = await askNodes(group, {
      ask: () => ({ kind: 'Commit', confirmations }),
      read: (body, node) => {
        if (body.kind !== 'Committed') throw outOfTurn(node);
      },
      timeoutMs: commitTimeoutMs,
    });
    const failures = errors.filter((error) => !isLostRace(error));
    if (failures.length > 0) throw mostTelling(failures);
    if (errors.length > 0) return undefined;
  }
  return key;
}

/** The node has another key by now, or has dropped this one in favour of later ones. */
function isLostRace(error: ClusterError): boolean {
  return error instanceof NodeRefusal && (error.refusal === 'WalletExists' || error.refusal === 'UnknownWallet');
}

async function testEveryQuorum(
  { commander, quorums }: KeyGenerationContext,
  { walletId, curve }: WantedKey,
  root: PublicKey,
): Promise<void> {
  const tests = quorums.map(async (quorum) => {
    const operationId = parse(v4());
    const operation = { operationId, attempt: 1, walletId, curve, path: [], payload: { kind: 'KeyTest' as const } };
    const signature = await signWithQuorum(commander, operation, quorum);
    verifyDigestSignature({ curve, root, path: [], digest: keyTestDigest(walletId, curve, operationId), signature });
  });
  await Promise.all(tests);
}

/** A node that is away explains what the others then report. */
function mostTelling(errors: readonly ClusterError[]): ClusterError {
  const away = errors.find(({ code }) => code === 'cluster_not_ready');
  return away ?? errors[0] ?? new ClusterError('mpc_error', 'the key generation ended without a result');
}
