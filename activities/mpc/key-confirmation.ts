// Checks that every node of the cluster has confirmed one and the same key, for the wallet that was asked for. One node's word is never enough.
import { verify } from 'node:crypto';
import { encode, struct, u8 } from './borsh.ts';
import { ClusterError, type PublicKey } from './cluster.ts';
import type { ClusterFile } from './cluster-file.ts';
import { type Confirmation, type KeyStatement, keyStatement } from './wire.ts';

const label = Buffer.from('countersign/v1/key');
const signedStatement = struct({ node: u8, statement: keyStatement });
const publicKeyBytes = { secp256k1: 33, ed25519: 32 } as const;

export type WantedKey = Pick<KeyStatement, 'walletId' | 'curve'>;

/** Throws `mpc_error` when a confirmation is missing, not signed by its node, about something else, or different from the others. */
export function confirmedKey(
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
 * Whether enough of the cluster's nodes have signed that this is the wallet's key: no node can make it up alone. Of the cluster as it is that is every node; of one with another machine in
 * some place, `threshold` of those that are still here, since nobody can check the others any more.
 */
export function isVouchedFor(
  cluster: ClusterFile,
  wanted: WantedKey,
  [first, ...others]: readonly Confirmation[],
): boolean {
  if (first === undefined || others.some((other) => !sameStatement(other, first))) return false;
  const { walletId, curve, roster } = first.statement;
  if (curve !== wanted.curve || Buffer.compare(walletId, wanted.walletId) !== 0) return false;
  const genuine = cluster.nodes.filter(({ index, identityKey }) =>
    [first, ...others].some((confirmation) => confirmation.node === index && isSignedBy(identityKey, confirmation)),
  );
  const needed = Buffer.compare(roster, cluster.roster) === 0 ? cluster.nodes.length : cluster.threshold;
  return genuine.length >= needed;
}

export function sameStatement(a: Confirmation, b: Confirmation): boolean {
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
