// The shapes of bodies that `/sign` and `signRaw` take, which one a body is meant to have, and what is wrong with one
// that has none of them.
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { describeValidation } from '../../http/describe-validation.ts';
import { ApiError } from '../../http/errors.ts';
import { contractCallBody } from '../../withdrawals/contract-call.schema.ts';
import { type EvmSendBody, evmSendBody, withoutNulls } from '../../withdrawals/evm-send.schema.ts';
import { solanaSendBody } from '../../withdrawals/solana-send.schema.ts';
import { messageCallBody, type SignBody, signBody, typedCallBody } from './sign-bodies.schema.ts';
import { solanaMessageBody, solanaSignBody } from './solana-bodies.schema.ts';

interface Shape {
  /** As a message to the caller writes it. */
  text: string;
  schema: TSchema;
}

const digest: Shape = { text: 'a digest {network_internal_code, signing_hash, …}', schema: signBody };
const contractCall: Shape = {
  text: 'an EVM transaction to send {transaction: {to, chainId, value, data, …}}',
  schema: contractCallBody,
};
const evmSend: Shape = {
  text: 'the same, flat {to, from, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, value, data, chainId, accessList}',
  schema: evmSendBody,
};
const messageCall: Shape = {
  text: 'a message {method: "eth_sign" or "personal_sign", message, chain_id}',
  schema: messageCallBody,
};
const typedCall: Shape = {
  text: 'typed data {method: "eth_signTypedData_v4", typed_data, chain_id}',
  schema: typedCallBody,
};
const solanaSign: Shape = {
  text: 'a Solana transaction to sign {data, from, meta: {tx_method: "solana_signTransaction"}, chainId}',
  schema: solanaSignBody,
};
const solanaMessage: Shape = {
  text: 'a Solana message {method: "solana_signMessage", message, chain_id}',
  schema: solanaMessageBody,
};
const solanaSend: Shape = {
  text: 'a Solana transaction to send {transaction, from, method: "solana_signAndSendTransaction"}',
  schema: solanaSendBody,
};
const shapes = [digest, contractCall, evmSend, messageCall, typedCall, solanaSign, solanaSend, solanaMessage];
const byMethod: ReadonlyMap<unknown, Shape> = new Map([
  ['eth_sign', messageCall],
  ['personal_sign', messageCall],
  ['eth_signTypedData_v4', typedCall],
  ['solana_signMessage', solanaMessage],
  ['solana_signAndSendTransaction', solanaSend],
]);

/** Before the validation against all shapes: against the one that is meant, so that the error is about that. */
export async function assertSignShape(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const shape = meantBy(body);
  const validate = request.compileValidationSchema(shape.schema, 'body') as ValidationFunction;
  if (validate(shape === evmSend ? withoutNulls(body as object) : body)) return;
  const fault = describeValidation(validate.errors ?? [], 'body', shape.schema);
  throw new ApiError('invalid_request', `${fault} ${readAs(shape)}`);
}

type ValidationFunction = {
  (body: unknown): boolean;
  errors?: Parameters<typeof describeValidation>[0] | null;
};

/** Told apart by the fields that are there, whatever they hold. */
function meantBy(body: unknown): Shape {
  if (has(body, 'method')) {
    assertNoDigest(body, 'method');
    const { method } = body as { method: unknown };
    const shape = byMethod.get(method);
    if (shape !== undefined) return shape;
    throw new ApiError('invalid_request', `body.method must be one of ${[...byMethod.keys()].join(', ')}. ${taken()}`);
  }
  if (has(body, 'meta')) {
    assertNoDigest(body, 'meta');
    return solanaSign;
  }
  if (has(body, 'transaction')) {
    assertNoDigest(body, 'transaction');
    return contractCall;
  }
  if (DIGEST_NAMES.some((name) => has(body, name)) || has(body, 'network_internal_code')) return digest;
  const isFlat = Object.keys(evmSendBody.properties).some((name) => has(body, name));
  if (isFlat) return evmSend;
  throw new ApiError('invalid_request', `The body has none of the fields that tell what is to be signed. ${taken()}`);
}

/** Of a body that has passed `assertSignShape` and names neither a method nor a transaction. */
export const isEvmSend = (body: SignBody | EvmSendBody): body is EvmSendBody => meantBy(body) === evmSend;

const readAs = (shape: Shape) => `It was read as ${shape.text}. ${taken()}`;
const taken = () => `This route takes ${shapes.map(({ text }) => text).join('; ')}.`;

const has = (body: unknown, name: string): body is object =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name);

function assertNoDigest(body: object, name: string): void {
  const digestName = DIGEST_NAMES.find((each) => has(body, each));
  if (digestName !== undefined)
    throw new ApiError(
      'conflicting_aliases',
      `body has ${name} and ${digestName}: send a ${name} or a digest, never both.`,
    );
}

/** What would say a second time what is to be signed. */
const DIGEST_NAMES = [
  'signing_hash',
  'signingHash',
  'hash',
  'transaction_hash',
  'transactionHash',
  'unsigned_tx',
  'unsignedTx',
  'raw_transaction',
  'rawTransaction',
  'tx',
];
