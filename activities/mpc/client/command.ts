// Builds and signs commands: the only thing that makes a node act. The command key signs nothing else, and every
// command is used once.
import { type KeyObject, sign as signBytes } from 'node:crypto';
import { parse, v4 } from 'uuid';
import { encode } from '../transport/borsh.ts';
import { checkpointCommand, command, type Operation, protocolVersion, type WireCheckpoint } from '../transport/wire.ts';
import type { CommandApprover } from './approver.ts';

/** Nodes accept at most 120 s ahead: this leaves room for clocks that differ. */
export const commandLifetimeMs = 60_000;

/** Each kind of command has a label of its own, so that a signature can mean nothing else. */
const labels = { command: Buffer.from('countersign/v1/command'), checkpoint: Buffer.from('countersign/v1/checkpoint') };

export interface SignedCommand {
  commandId: Uint8Array;
  /** Borsh bytes of the command. */
  bytes: Uint8Array;
  signature: Uint8Array;
  /** By the approver, where there is one. */
  approval?: Uint8Array | undefined;
  /** Signed by the enrolment key, not by ours. */
  enrolment?: boolean;
  /** Ascending: who takes part. */
  participants: readonly number[];
}

export interface Commander {
  roster: Uint8Array;
  commandKey: KeyObject;
  approve?: CommandApprover | undefined;
}

/**
 * A new command each time: a fresh id and a fresh expiry, so that a second session for the same operation is never a
 * repetition.
 */
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

export function signCheckpoint(
  { roster, commandKey }: Commander,
  checkpoint: WireCheckpoint,
  nowMs = Date.now(),
): Pick<SignedCommand, 'bytes' | 'signature'> {
  const expiresAtMs = BigInt(nowMs + commandLifetimeMs);
  const named = { version: protocolVersion, roster, commandId: parse(v4()), expiresAtMs };
  const bytes = encode(checkpointCommand, { ...named, operation: checkpoint });
  return { bytes, signature: signatureOf(bytes, commandKey, 'checkpoint') };
}

export function signatureOf(
  bytes: Uint8Array,
  commandKey: KeyObject,
  kind: keyof typeof labels = 'command',
): Uint8Array {
  return signBytes(null, Buffer.concat([labels[kind], bytes]), commandKey);
}
