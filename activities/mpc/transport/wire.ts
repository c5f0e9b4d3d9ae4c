// The messages of mpc/PROTOCOL.md as Borsh schemas, in the page's order and with its limits. Shapes only: no meaning,
// no cryptography, no sockets.

import { PATH_STEPS_MAX } from '../../../domain/paths.ts';
import { PAYLOAD_BYTES_MAX, SOLANA_MESSAGE_BYTES_MAX, TYPED_DATA_TYPES_MAX } from '../../../domain/payloads/limits.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import {
  BorshError,
  bool,
  bytes,
  type Codec,
  fixed,
  names,
  option,
  struct,
  type TypeOf,
  text,
  u8,
  u16,
  u32,
  u64,
  variants,
  vec,
} from './borsh.ts';

export const protocolVersion = 1;
export const maxFrameBytes = 640 * 1024;
const maxEnvelopeBytes = 256 * 1024;
const maxNodes = 255;

const uuid = fixed(16);
const curve = names(curves);

const anyStatement = struct({
  walletId: uuid,
  form: u8,
  epoch: u32,
  sessionId: fixed(32),
  roster: fixed(32),
  threshold: u8,
  publicKey: bytes(33),
  chainCode: fixed(32),
  transcript: fixed(32),
});

/** Of which workspace the wallet is says the statement of a key that was made for one. */
export type KeyStatement = Omit<TypeOf<typeof anyStatement>, 'form'> & {
  curve: Curve;
  workspaceId?: Uint8Array | undefined;
};

/** The byte of the curve is 2 more, and the workspace stands at the end, where there is one. */
export const keyStatement: Codec<KeyStatement> = {
  write(writer, { curve: of, workspaceId, ...rest }) {
    const form = curves.indexOf(of) + (workspaceId === undefined ? 0 : curves.length);
    anyStatement.write(writer, { ...rest, form });
    if (workspaceId !== undefined) uuid.write(writer, workspaceId);
  },
  read(reader) {
    const { form, ...rest } = anyStatement.read(reader);
    const of = curves[form % curves.length];
    if (of === undefined || form >= 2 * curves.length) throw new BorshError('unknown variant');
    const statement = { ...rest, curve: of };
    return form < curves.length ? statement : { ...statement, workspaceId: uuid.read(reader) };
  },
};

const confirmation = struct({ node: u8, statement: keyStatement, signature: fixed(64) });
export type Confirmation = TypeOf<typeof confirmation>;

const confirmations = vec(confirmation, maxNodes);

/** A node's word that its share of this statement is its share of the key. */
const acknowledgement = struct({ node: u8, statement: keyStatement, signature: fixed(64) });
export type Acknowledgement = TypeOf<typeof acknowledgement>;

const content = bytes(PAYLOAD_BYTES_MAX);
const typedDataText = text(PAYLOAD_BYTES_MAX);

const typedDataField = struct({ name: typedDataText, typeName: typedDataText });
export type TypedDataField = TypeOf<typeof typedDataField>;

const structType = struct({ name: typedDataText, fields: vec(typedDataField, PAYLOAD_BYTES_MAX) });
export type StructType = TypeOf<typeof structType>;

const token = variants({
  Word: { word: fixed(32) },
  Bytes: { bytes: content },
  Text: { text: typedDataText },
  Count: { count: u32 },
});
export type Token = TypeOf<typeof token>;

const tokens = vec(token, PAYLOAD_BYTES_MAX);

/**
 * EIP-712 flat: the values of `domain` and `message` follow their types field by field, depth first; an array opens
 * with a `Count`.
 */
export const typedData = struct({
  types: vec(structType, TYPED_DATA_TYPES_MAX),
  primaryType: typedDataText,
  domain: tokens,
  message: tokens,
});
export type WireTypedData = TypeOf<typeof typedData>;

/** What an input of a Bitcoin transaction spends, in satoshis. */
const coin = struct({ amount: u64, script: content });

/** `transaction` without signatures; `coins` of all inputs, in their order. */
export const bitcoinInput = struct({
  transaction: content,
  index: u32,
  coins: vec(coin, PAYLOAD_BYTES_MAX),
  sighashType: u32,
});
export type WireBitcoinInput = TypeOf<typeof bitcoinInput>;

export const payload = variants({
  RawDigest: { digest: fixed(32) },
  EvmTransaction: { unsigned: content },
  EvmMessage: { text: content },
  KeyTest: {},
  EvmTypedData: { typedData },
  SolanaTransaction: { message: bytes(SOLANA_MESSAGE_BYTES_MAX) },
  BitcoinInput: { input: bitcoinInput },
  SolanaMessage: { text: content },
});
export type WirePayload = TypeOf<typeof payload>;

const operation = variants({
  GenerateKey: { walletId: uuid, curve, threshold: u8, nodes: bytes(maxNodes) },
  Sign: {
    operationId: uuid,
    attempt: u32,
    walletId: uuid,
    curve,
    path: vec(u32, PATH_STEPS_MAX),
    signers: bytes(maxNodes),
    payload,
  },
  /** `epoch` is the one to be made. */
  Refresh: { walletId: uuid, curve, epoch: u32, nodes: bytes(maxNodes) },
  /** Under the enrolment key only. `epoch` is the one that is; `nodes` are the helpers and the target. */
  Repair: { walletId: uuid, curve, epoch: u32, publicKey: bytes(33), target: u8, nodes: bytes(maxNodes) },
  /** The nodes keep for ever of which workspace the wallet is: their policies may name it. */
  GenerateWorkspaceKey: { walletId: uuid, curve, threshold: u8, nodes: bytes(maxNodes), workspaceId: uuid },
});
export type Operation = TypeOf<typeof operation>;

export const command = struct({ version: u16, roster: fixed(32), commandId: uuid, expiresAtMs: u64, operation });
export type Command = TypeOf<typeof command>;

/** What the audit chain of a workspace was: `hash` is that of its entry `seq`. */
const checkpoint = struct({ workspaceId: uuid, seq: u64, hash: fixed(32) });
export type WireCheckpoint = TypeOf<typeof checkpoint>;

export const checkpointCommand = struct({
  version: u16,
  roster: fixed(32),
  commandId: uuid,
  expiresAtMs: u64,
  operation: checkpoint,
});

/** `Newest`: one a workspace. `FirstOfDays`: the first that was kept on each day. */
const checkpointList = names(['Newest', 'FirstOfDays']);
const checkpointPlace = struct({ workspaceId: uuid, seq: u64 });
/** A shorter page is the last one. */
export const checkpointsAPage = 1024;

const hello = struct({ node: u8, nonce: fixed(32), ephemeralPublicKey: fixed(32), signature: fixed(64) });
export type Hello = TypeOf<typeof hello>;

/**
 * Outbound `peer` is the receiver, inbound it is the sender; `sealed` is ciphertext that only the two nodes can read.
 */
const envelope = struct({ peer: u8, sealed: bytes(maxEnvelopeBytes) });
export type Envelope = TypeOf<typeof envelope>;

/**
 * How far a node's journal has come: compared by incarnation, then sequence. `run` tells apart the runs of its program.
 */
const progress = struct({ incarnation: u64, run: u64, sequence: u64 });
export type Progress = TypeOf<typeof progress>;

/** What a node signs of its progress. */
export const markStatement = struct({ identity: fixed(32), progress });
export const mark = struct({ identity: fixed(32), progress, signature: fixed(64) });
export type Mark = TypeOf<typeof mark>;

/** In one request or answer. */
export const maxMarks = maxNodes;
const marks = vec(mark, maxMarks);

const requestBody = variants({
  Health: {},
  Open: { command: bytes(PAYLOAD_BYTES_MAX + 1024), signature: fixed(64) },
  Start: { commandId: uuid, hellos: vec(hello, maxNodes) },
  Continue: { commandId: uuid, round: u8, inbound: vec(envelope, maxNodes) },
  KeyState: { walletId: uuid, curve },
  Commit: { confirmations },
  KeepCheckpoint: { command: bytes(1024), signature: fixed(64) },
  Checkpoints: { list: checkpointList, after: option(checkpointPlace) },
  OpenEnrolment: { command: bytes(1024), signature: fixed(64) },
  OpenApproved: { command: bytes(PAYLOAD_BYTES_MAX + 1024), signature: fixed(64), approval: fixed(64) },
  Marks: { marks },
  Acknowledge: { walletId: uuid, curve },
  Settle: { acknowledgements: vec(acknowledgement, maxNodes) },
});
export type RequestBody = TypeOf<typeof requestBody>;

export const request = struct({ id: u64, body: requestBody });

const outcome = variants({
  Key: { confirmation },
  Signature: { bytes: fixed(64), recoveryId: u8 },
  Repaired: { statement: keyStatement },
});
export type Outcome = TypeOf<typeof outcome>;

const ban = struct({ rootPublicKey: bytes(33), peer: u8, generation: u32, atMs: u64 });
const bansInAFrame = Math.floor(maxFrameBytes / 50);

const health = {
  version: text(64),
  node: u8,
  roster: fixed(32),
  liveSessions: u32,
  keys: u32,
  /** The newest; a node tells of 1,024 at most, one of an older version of all that ever were. */
  bans: vec(ban, bansInAFrame),
  /** SHA-256 of the bytes of its policy file. */
  policy: fixed(32),
  /** Its own, as it is now. */
  mark,
  /** The newest of other nodes that it was told of. */
  marks,
  setBack: bool,
};

const keyState = variants({
  Absent: {},
  Prepared: {},
  Committed: { confirmations },
  /**
   * `prepared`: this node's own, of this epoch and of later ones, oldest first. `signs` is false for a share that was
   * repaired or restored.
   */
  Unsettled: { committed: confirmations, prepared: confirmations, signs: bool },
});
export type KeyState = TypeOf<typeof keyState>;

export const refusalCodes = [
  'InvalidRequest',
  'Unauthorized',
  'Expired',
  'CommandUsed',
  'UnknownWallet',
  'WalletExists',
  'ShareUnreadable',
  'UnknownSession',
  'SessionAborted',
  'Banned',
  'Busy',
  'MessageConflict',
  'VersionMismatch',
  'Internal',
  'CheckpointConflict',
  'WrongEpoch',
  'NeedsRefresh',
  'RosterMismatch',
  'PolicyRefused',
  'Paused',
  'SetBack',
  'NotYetTold',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

const refusal = { code: names(refusalCodes), peer: option(u8), detail: text(256) };

const responseBody = variants({
  Health: health,
  Opened: { hello },
  Round: { outbound: vec(envelope, maxNodes), outcome: option(outcome) },
  InProgress: {},
  Finished: { outcome },
  KeyState: { state: keyState },
  Committed: { statement: keyStatement },
  Refused: refusal,
  CheckpointKept: { checkpoint },
  Checkpoints: { checkpoints: vec(checkpoint, checkpointsAPage) },
  MarksTaken: {},
  Acknowledged: { acknowledgement },
  Settled: { statement: keyStatement },
});
export type ResponseBody = TypeOf<typeof responseBody>;
export type Refusal = Omit<Extract<ResponseBody, { kind: 'Refused' }>, 'kind'>;

export const response = struct({ id: u64, body: responseBody });
