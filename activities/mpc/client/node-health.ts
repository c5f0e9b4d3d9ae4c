// Asks every node how it is, for the operator's eyes. Never throws: an unreachable node is an answer. Decides nothing.
import { diskSetBack } from '../../../domain/statuses.ts';
import { ClusterError, type NodeHealth } from '../port.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import type { NodeTimes } from './node-times.ts';

const healthTimeoutMs = 3_000;
/** Beyond it a date has no text form; a node may say anything. */
const latestDateMs = 8_640_000_000_000_000n;

export function healthOf(
  nodes: readonly NodeTransport[],
  roster: Uint8Array,
  times: Pick<NodeTimes, 'usualMs'>,
): Promise<NodeHealth[]> {
  const asked = nodes.map(async (node) => {
    const signingMs = times.usualMs(node.index);
    return { ...(await healthOfNode(node, roster)), ...(signingMs === undefined ? {} : { signingMs }) };
  });
  return Promise.all(asked);
}

function reasonOf(known: boolean, setBack: boolean): Pick<NodeHealth, 'reason'> {
  if (!known) return { reason: 'it belongs to another cluster or has another number' };
  return setBack ? { reason: diskSetBack } : {};
}

async function healthOfNode(transport: NodeTransport, roster: Uint8Array): Promise<NodeHealth> {
  const node = transport.index;
  const askedMs = performance.now();
  try {
    const body = await transport.call({ kind: 'Health' }, healthTimeoutMs);
    const answerMs = performance.now() - askedMs;
    if (body.kind !== 'Health')
      return { node, reachable: true, answerMs, reason: 'it does not answer questions about its health' };
    const { version, liveSessions, keys, bans, policy, setBack, ...identity } = body;
    const known = identity.node === node && Buffer.compare(identity.roster, roster) === 0;
    return {
      node,
      reachable: true,
      answerMs,
      version,
      liveSessions,
      keys,
      bans: bans.map(({ rootPublicKey, peer, generation, atMs }) => ({
        rootPublicKey: Buffer.from(rootPublicKey).toString('hex'),
        peer,
        generation,
        at: new Date(Number(atMs < latestDateMs ? atMs : latestDateMs)).toISOString(),
      })),
      policySha256: Buffer.from(policy).toString('hex'),
      ...reasonOf(known, setBack),
    };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { node, reachable: false, reason: error.message };
  }
}
