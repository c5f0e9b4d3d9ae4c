// Reads the bodies that come in several shapes: a digest, a transaction to broadcast, and, on the SDK alias, a call as JSON-RPC names it, of a message or of
// typed data.
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { ApiError } from '../http/errors.ts';
import { contractCallBody } from '../withdrawals/contract-call.schema.ts';
import { encodingOf, readMessage } from './read-message.ts';
import { parseTypedData, readTypedData } from './read-typed-data.ts';
import { type CallBody, messageCallBody, signBody, typedCallBody } from './sign-bodies.schema.ts';
import type { SigningIntent } from './signing-intent.ts';

/** Before the validation against all shapes: against the one that is meant, so that the error is about that. */
export const assertAliasShape = (request: FastifyRequest) => assertShape(request, aliasShapeOf(request.body));

export const assertRawShape = (request: FastifyRequest) => assertShape(request, rawShapeOf(request.body));

async function assertShape(request: FastifyRequest, shape: TSchema): Promise<void> {
  const { body } = request;
  const validate = request.compileValidationSchema(shape, 'body') as ValidationFunction;
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

function rawShapeOf(body: unknown): TSchema {
  if (!has(body, 'transaction')) return signBody;
  assertNoDigest(body, 'transaction');
  return contractCallBody;
}

function aliasShapeOf(body: unknown): TSchema {
  if (!has(body, 'method')) return rawShapeOf(body);
  assertNoDigest(body, 'method');
  const { method } = body as { method: unknown };
  const shape = [messageCallBody, typedCallBody].find(({ properties }) => isOneOf(properties.method, method));
  if (shape !== undefined) return shape;
  throw new ApiError('invalid_request', 'body.method must be eth_sign, personal_sign or eth_signTypedData_v4.');
}

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

const isOneOf = (schema: { enum?: readonly unknown[]; const?: unknown }, value: unknown) =>
  schema.enum?.includes(value) ?? schema.const === value;

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
