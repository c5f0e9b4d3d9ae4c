// Reads cluster.json (public, the same for all) and computes the roster that every command and every key statement is
// bound to. Holds no secret.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { encode, fixed, struct, text, u8, vec } from '../transport/borsh.ts';

export interface ClusterNode {
  index: number;
  identityKey: KeyObject;
  /** PEM */
  tlsCertificate: string;
}

export interface ClusterFile {
  threshold: number;
  /** Ascending by index. */
  nodes: readonly ClusterNode[];
  commandPublicKey: Uint8Array;
  roster: Uint8Array;
}

/** What the nodes send each other to make a key on secp256k1 fits into their frames for so many. */
const nodesMax = 5;

/** Throws a plain error that names what is wrong: a start-up failure, not a failure of the cluster. */
export function parseClusterFile(json: string): ClusterFile {
  const file = recordOf(JSON.parse(json), 'the cluster file');
  const threshold = wholeOf(file['threshold'], 'threshold');
  if (!Array.isArray(file['nodes'])) throw new Error('cluster file: nodes is not a list');
  const parsed = file['nodes'].map((entry: unknown) => {
    const node = recordOf(entry, 'a node');
    const identity = keyOf(node['identity_public_key'], 'identity_public_key');
    return { index: wholeOf(node['index'], 'index'), identity, tlsCertificate: textOf(node['tls_certificate']) };
  });
  if (parsed.length > nodesMax)
    throw new Error(`cluster file: names ${parsed.length} nodes, and no more than ${nodesMax} can make a key`);
  parsed.sort((a, b) => a.index - b.index);
  if (threshold < 2 || threshold > parsed.length || new Set(parsed.map(({ index }) => index)).size !== parsed.length) {
    throw new Error('cluster file: needs distinct nodes, and a threshold between two and their number');
  }
  const orchestrator = recordOf(file['orchestrator'], 'orchestrator');
  return {
    threshold,
    nodes: parsed.map(({ index, identity, tlsCertificate }) => ({
      index,
      identityKey: ed25519PublicKey(identity),
      tlsCertificate,
    })),
    commandPublicKey: keyOf(orchestrator['command_public_key'], 'command_public_key'),
    roster: rosterOf(threshold, parsed),
  };
}

const rosterSchema = struct({
  label: text(64),
  threshold: u8,
  nodes: vec(struct({ index: u8, identity: fixed(32) }), 255),
});

export function rosterOf(threshold: number, nodes: readonly { index: number; identity: Uint8Array }[]): Uint8Array {
  const bytes = encode(rosterSchema, { label: 'countersign/v1/roster', threshold, nodes: [...nodes] });
  return createHash('sha256').update(bytes).digest();
}

export function ed25519PublicKey(raw: Uint8Array): KeyObject {
  return createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
  });
}

function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`cluster file: ${what} is not an object`);
  return value as Record<string, unknown>;
}

function wholeOf(value: unknown, what: string): number {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > 255) {
    throw new Error(`cluster file: ${what} is not a number from 1 to 255`);
  }
  return Number(value);
}

function keyOf(value: unknown, what: string): Uint8Array {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw new Error(`cluster file: ${what} is not 32 bytes in hex`);
  return Buffer.from(value, 'hex');
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('cluster file: a tls_certificate is not a text');
  return value;
}
