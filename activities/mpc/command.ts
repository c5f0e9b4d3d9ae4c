// Builds and signs commands: the only thing that makes a node act. The command key signs nothing else, and every command is used once.
import { type KeyObject, sign as signBytes } from 'node:crypto';
import { parse, v4 } from 'uuid';
import { encode } from './borsh.ts';
import { command, type Operation, protocolVersion } from './wire.ts';

/** Nodes accept at most 120 s ahead: this leaves room for clocks that differ. */
export const commandLifetimeMs = 60_000;

const label = Buffer.from('countersign/v1/command');

export interface SignedCommand {
  commandId: Uint8Array;
  /** Borsh bytes of the command. */
  bytes: Uint8Array;
  signature: Uint8Array;
  /** Ascending: who takes part. */
  participants: readonly number[];
}

export interface Commander {
  roster: Uint8Array;
  commandKey: KeyObject;
}

/** A new command each time: a fresh id and a fresh expiry, so that a second session for the same operation is never a repetition. */
export function signCommand(
  { roster, commandKey }: Commander,
  operation: Operation,
  nowMs = Date.now(),
): SignedCommand {
  const commandId = parse(v4());
  const expiresAtMs = BigInt(nowMs + commandLifetimeMs);
  const bytes = encode(command, { version: protocolVersion, roster, commandId, expiresAtMs, operation });
  const signature = signatureOf(bytes, commandKey);
  const participants = [...(operation.kind === 'Sign' ? operation.signers : operation.nodes)];
  return { commandId, bytes, signature, participants };
}

/** Over a label and the command's bytes, so that the signature can mean nothing else. */
export function signatureOf(bytes: Uint8Array, commandKey: KeyObject): Uint8Array {
  return signBytes(null, Buffer.concat([label, bytes]), commandKey);
}
