// Reads the body of the SDK alias, which comes in three shapes: a digest, or a call as JSON-RPC names it, of a message or of typed data.
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { ApiError } from '../http/errors.ts';
import { encodingOf, readMessage } from './read-message.ts';
import { parseTypedData, readTypedData } from './read-typed-data.ts';
import { type CallBody, messageCallBody, signBody, typedCallBody } from './sign-bodies.schema.ts';
import type { SigningIntent } from './signing-content.ts';

/** Before the validation against all shapes: against the one that is meant, so that the error is about that. */
export async function assertOneShape(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const validate = request.compileValidationSchema(shapeOf(body), 'body') as ValidationFunction;
  if (validate(body)) return;
  throw Object.assign(new Error('the body has not its shape'), {
    validation: validate.errors,
    validationContext: 'body',
  });
}

interface ValidationFunction {
  (body: unknown): boolean;
  errors?: object[] | null;
}

export async function readCall(networks: NetworkCatalog, body: CallBody): Promise<SigningIntent> {
  const { chain_id, derivation_path } = body;
  const common = { chain_id, ...(derivation_path === undefined ? {} : { derivation_path }) };
  if (body.method === 'eth_signTypedData_v4')
    return readTypedData(networks, { ...common, typed_data: parseTypedData(body.typed_data) });
  const { message } = body;
  return readMessage(networks, { ...common, message, encoding: encodingOf(message) });
}

function shapeOf(body: unknown): TSchema {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'method')) return signBody;
  const digestName = DIGEST_NAMES.find((name) => Object.hasOwn(body, name));
  if (digestName !== undefined)
    throw new ApiError(
      'conflicting_aliases',
      `body has method and ${digestName}: send a method with what it signs, or a digest, never both.`,
    );
  const { method } = body as { method: unknown };
  const shape = [messageCallBody, typedCallBody].find(({ properties }) => isOneOf(properties.method, method));
  if (shape !== undefined) return shape;
  throw new ApiError('invalid_request', 'body.method must be eth_sign, personal_sign or eth_signTypedData_v4.');
}

const isOneOf = (schema: { enum?: readonly unknown[]; const?: unknown }, value: unknown) =>
  schema.enum?.includes(value) ?? schema.const === value;

/** What would say a second time what is to be signed. */
const DIGEST_NAMES = [
  ...['signing_hash', 'signingHash', 'hash', 'transaction_hash', 'transactionHash'],
  ...['unsigned_tx', 'unsignedTx', 'raw_transaction', 'rawTransaction', 'tx'],
];
