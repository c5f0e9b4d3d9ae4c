// The wire shapes of what callers send to have something signed.
import Type, { type Static, type TProperties } from 'typebox';
import { curves } from '../../../domain/statuses.ts';
import { externalId } from '../../http/external-id.schema.ts';
import { jsonObject } from '../../http/maps.schema.ts';
import { contractCallBody } from '../../withdrawals/contract-call.schema.ts';
import { evmSendBody } from '../../withdrawals/evm-send.schema.ts';
import { solanaSendBody } from '../../withdrawals/solana-send.schema.ts';
import { solanaMessageBody, solanaSignBody } from './solana-bodies.schema.ts';

const strict = <Properties extends TProperties>(title: string, properties: Properties, example: object) =>
  Type.Object(properties, { title, additionalProperties: false, examples: [example] });

const keyType = Type.Enum([...curves], { description: 'Curve of the key; `secp256k1` when absent.' });
/** Taken, and left out of the document: a generated client has one name for one thing. */
const alias = (of: string) => Type.Optional(Type.String({ minLength: 1, 'x-alias-of': of }));
const derivationPath = Type.Optional(
  Type.String({ minLength: 1, description: 'Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.' }),
);

const name = externalId('request');

/** An item of a batch says what it is. The route of its own takes it as well: one shape, sent to either. */
const typeOf = <Name extends string>(type: Name) => Type.Literal(type, { description: 'Needed in a batch.' });

const digestProperties = {
  network_internal_code: Type.Optional(
    Type.String({ minLength: 1, description: 'Required, under this name or its alias.' }),
  ),
  networkInternalCode: alias('network_internal_code'),
  key_type: Type.Optional(keyType),
  keyType: Type.Optional(Type.Enum([...curves], { 'x-alias-of': 'key_type' })),
  signing_hash: Type.Optional(
    Type.String({ minLength: 1, description: '32-byte digest in hex. Required, under this name or an alias.' }),
  ),
  signingHash: alias('signing_hash'),
  hash: alias('signing_hash'),
  transaction_hash: alias('signing_hash'),
  transactionHash: alias('signing_hash'),
  unsigned_tx: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'What the digest is of, in hex: kept for audit. Defaults to signing_hash.',
    }),
  ),
  unsignedTx: alias('unsigned_tx'),
  raw_transaction: alias('unsigned_tx'),
  rawTransaction: alias('unsigned_tx'),
  tx: alias('unsigned_tx'),
  derivation_path: derivationPath,
  derivationPath: alias('derivation_path'),
  derivation_path_components: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1, maxItems: 10 })),
  external_id: name,
};

const chainId = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9][0-9]{0,15}$' })], {
  description: 'EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.',
});

const networkProperties = {
  network_internal_code: Type.Optional(
    Type.String({ minLength: 1, description: 'The network, by this or by chain_id.' }),
  ),
  chain_id: Type.Optional(chainId),
};

const messageProperties = {
  ...networkProperties,
  message: Type.String({
    description:
      "What is signed: on EVM networks under the EIP-191 prefix, at most 64 KiB; on Solana in the envelope of its off-chain message signing, for the wallet's own address. Taken as `encoding` says, never guessed.",
  }),
  encoding: Type.Optional(
    Type.Enum(['utf8', 'hex'], {
      description:
        '`utf8` (when absent): the text. `hex`: the bytes that it spells, on Solana a whole envelope of version 0 with the key among its signers.',
    }),
  ),
  application_domain: Type.Optional(
    Type.String({
      minLength: 32,
      maxLength: 44,
      description:
        'Of the envelope on Solana: 32 bytes in base58, by which an application is known; zeros when absent.',
    }),
  ),
  derivation_path: derivationPath,
  external_id: name,
};

const typedDataField = Type.Object({ name: Type.String(), type: Type.String() }, { title: 'TypedDataField' });

export const typedData = Type.Object(
  {
    types: Type.Record(Type.String(), Type.Array(typedDataField), {
      description: '`EIP712Domain` may be left out: it follows from the fields of `domain`.',
    }),
    primaryType: Type.Optional(Type.String({ description: 'When absent, the one type that no other refers to.' })),
    domain: jsonObject("Some of EIP-712's five fields; `chainId`, when it is there, must be the network's."),
    message: jsonObject(
      'Every field of its type and no other. Integers beyond 2^53 - 1 are strings, decimal or 0x hex.',
    ),
  },
  {
    title: 'TypedData',
    additionalProperties: false,
    description:
      'An EIP-712 document: at most 64 types and 4096 bytes of them, 32 levels deep, 64 KiB in the encoding of the nodes (a value is 33 bytes, or 5 and ' +
      'its own).',
  },
);

const typedProperties = {
  ...networkProperties,
  typed_data: typedData,
  derivation_path: derivationPath,
  external_id: name,
};

const transactionProperties = {
  ...networkProperties,
  unsigned_tx: Type.String({
    minLength: 1,
    description:
      'In hex: on EVM networks the serialized unsigned transaction for this very chain, on Solana the serialized message (legacy or version 0, at most ' +
      '1232 bytes) of which the key is a required signer, or the whole transaction with places for its signatures: its message is what is signed.',
  }),
  derivation_path: derivationPath,
  external_id: name,
};

const mail = {
  types: { Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', version: '1', chainId: 31337 },
  message: { contents: 'Hello, Bob!' },
};
const network_internal_code = 'ETHEREUM_SANDBOX';
const examples = {
  raw: {
    network_internal_code,
    signing_hash: '0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11',
  },
  message: { network_internal_code, message: 'Hello, Bob!' },
  typed: { network_internal_code, typed_data: mail },
  transaction: {
    network_internal_code,
    unsigned_tx: '0x02e9827a6980843b9aca00847735940082520894000000000000000000000000000000000000dead0180c0',
  },
};

export const signBody = strict(
  'SignDigestBody',
  { type: Type.Optional(typeOf('raw')), ...digestProperties },
  examples.raw,
);
export const messageBody = strict(
  'SignMessageBody',
  { type: Type.Optional(typeOf('message')), ...messageProperties },
  examples.message,
);
export const typedBody = strict(
  'SignTypedBody',
  { type: Type.Optional(typeOf('typed')), ...typedProperties },
  examples.typed,
);
export const transactionBody = strict(
  'SignTransactionBody',
  { type: Type.Optional(typeOf('transaction')), ...transactionProperties },
  examples.transaction,
);

export type SignBody = Static<typeof signBody>;

/** What SDK callers also send. Told apart by `method`. */
export const messageCallBody = strict(
  'EthSignBody',
  {
    method: Type.Enum(['eth_sign', 'personal_sign']),
    message: Type.String({
      description:
        'As in JSON-RPC: 0x and whole bytes in hex are these bytes, what does not begin with 0x is text, and 0x with anything else is refused. Signed under the EIP-191 prefix.',
    }),
    chain_id: chainId,
    derivation_path: derivationPath,
    external_id: name,
  },
  { method: 'personal_sign', message: 'Hello, Bob!', chain_id: 31337 },
);
export const typedCallBody = strict(
  'EthSignTypedDataBody',
  {
    method: Type.Literal('eth_signTypedData_v4'),
    typed_data: Type.String({ description: 'The EIP-712 document as JSON text.' }),
    message: Type.Optional(Type.String({ description: 'Empty, as SDK callers send it: nothing else is taken.' })),
    chain_id: chainId,
    derivation_path: derivationPath,
    external_id: name,
  },
  { method: 'eth_signTypedData_v4', typed_data: JSON.stringify(mail), chain_id: 31337 },
);

export type CallBody = Static<typeof messageCallBody> | Static<typeof typedCallBody>;

/** What `/sign` and `signRaw` take. Told apart by the fields that are there (sign-shapes.ts). */
export const rawBody = Type.Union(
  [
    signBody,
    messageCallBody,
    typedCallBody,
    contractCallBody,
    evmSendBody,
    solanaSignBody,
    solanaSendBody,
    solanaMessageBody,
  ],
  { examples: [examples.raw] },
);

export type RawBody = Static<typeof rawBody>;

const rawItem = strict('DigestItem', { type: typeOf('raw'), ...digestProperties }, { type: 'raw', ...examples.raw });
const messageItem = strict(
  'MessageItem',
  { type: typeOf('message'), ...messageProperties },
  { type: 'message', ...examples.message },
);
const typedItem = strict(
  'TypedDataItem',
  { type: typeOf('typed'), ...typedProperties },
  { type: 'typed', ...examples.typed },
);
const transactionItem = strict(
  'TransactionItem',
  { type: typeOf('transaction'), ...transactionProperties },
  { type: 'transaction', ...examples.transaction },
);

export type BatchItem =
  | Static<typeof rawItem>
  | Static<typeof messageItem>
  | Static<typeof typedItem>
  | Static<typeof transactionItem>;

/** With the discriminator an item is checked against its own shape only, and the error is about that. */
export const batchItem = Type.Unsafe<BatchItem>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [rawItem, messageItem, typedItem, transactionItem],
});

export const batchBody = strict(
  'SignBatchBody',
  { items: Type.Array(batchItem, { minItems: 1, maxItems: 100 }) },
  { items: [{ type: 'message', ...examples.message }] },
);
