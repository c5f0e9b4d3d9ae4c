// Checks that every node of the cluster has confirmed one and the same key, for the wallet that was asked for. One
// node's word is never enough.
import { verify } from 'node:crypto';
import { ClusterError, type PublicKey } from '../port.ts';
import { encode, struct, u8 } from '../transport/borsh.ts';
import { type Confirmation, type KeyStatement, keyStatement } from '../transport/wire.ts';
import type { ClusterFile } from './cluster-file.ts';

const label = Buffer.from('countersign/v1/key');
const signedStatement = struct({ node: u8, statement: keyStatement });
const publicKeyBytes = { secp256k1: 33, ed25519: 32 } as const;

export type WantedKey = Pick<KeyStatement, 'walletId' | 'curve'>;

/**
 * Throws `mpc_error` when a confirmation is missing, not signed by its node, about something else, or different from
 * the others.
 */
export function verifyKeyConfirmations(
  cluster: ClusterFile,
  wanted: WantedKey,
  confirmations: readonly Confirmation[],
): PublicKey {
  const [first] = confirmations;
  if (first === undefined || confirmations.length !== cluster.nodes.length)
    throw unconfirmed('not every node has confirmed it');
  for (const [position, { index, identityKey }] of cluster.nodes.entries()) {
    const confirmation = confirmations[position];
    if (confirmation?.node !== index || !isSignedBy(identityKey, confirmation)) {
      throw unconfirmed(`the confirmation of node ${index} is not valid`);
    }
    if (!sameStatement(confirmation, first)) throw unconfirmed('the nodes confirm different keys');
  }
  const { statement } = first;
  const asWanted =
    statement.curve === wanted.curve &&
    Buffer.compare(statement.walletId, wanted.walletId) === 0 &&
    Buffer.compare(statement.roster, cluster.roster) === 0 &&
    statement.threshold === cluster.threshold &&
    statement.publicKey.length === publicKeyBytes[wanted.curve];
  if (!asWanted) throw unconfirmed('the confirmations are about another key');
  return { publicKey: Uint8Array.from(statement.publicKey), chainCode: Uint8Array.from(statement.chainCode) };
}

/**
 * Which nodes, as the cluster is now, have signed the one statement about the wanted key that all of these make; none
 * when they differ or are about another.
 */
export function signersOf(
  cluster: ClusterFile,
  wanted: WantedKey,
  [first, ...others]: readonly Confirmation[],
): ReadonlySet<number> {
  const isWanted =
    first?.statement.curve === wanted.curve && Buffer.compare(first.statement.walletId, wanted.walletId) === 0;
  if (!isWanted || others.some((other) => !sameStatement(other, first))) return new Set();
  const signers = cluster.nodes.filter(({ index, identityKey }) =>
    [first, ...others].some((confirmation) => confirmation.node === index && isSignedBy(identityKey, confirmation)),
  );
  return new Set(signers.map(({ index }) => index));
}

type Stated = Pick<Confirmation, 'statement'>;

export function sameStatement(a: Stated, b: Stated): boolean {
  return Buffer.compare(encode(keyStatement, a.statement), encode(keyStatement, b.statement)) === 0;
}

/** What a node signs to confirm a key. */
export function confirmationMessage({ node, statement }: Pick<Confirmation, 'node' | 'statement'>): Uint8Array {
  return Buffer.concat([label, encode(signedStatement, { node, statement })]);
}

function isSignedBy(identityKey: ClusterFile['nodes'][number]['identityKey'], confirmation: Confirmation): boolean {
  return verify(null, confirmationMessage(confirmation), identityKey, confirmation.signature);
}

function unconfirmed(reason: string): ClusterError {
  return new ClusterError('mpc_error', `a key was generated, but ${reason}`);
}
