// Reads what SDK callers send as a call that JSON-RPC names: of a message or of typed data.
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { ApiError } from '../../http/errors.ts';
import type { SigningIntent } from '../signing-intent.ts';
import { encodingOf, readMessage } from './read-message.ts';
import { parseTypedData, readTypedData } from './read-typed-data.ts';
import type { CallBody } from './sign-bodies.schema.ts';

export async function readCall(networks: NetworkCatalog, body: CallBody): Promise<SigningIntent> {
  const { chain_id, derivation_path } = body;
  const common = { chain_id, ...(derivation_path === undefined ? {} : { derivation_path }) };
  if (body.method === 'eth_signTypedData_v4') {
    if (body.message !== undefined && body.message !== '')
      throw new ApiError(
        'invalid_request',
        'body.message must be empty or absent beside typed_data, which is all that is signed.',
      );
    return readTypedData(networks, { ...common, typed_data: parseTypedData(body.typed_data) });
  }
  const { message } = body;
  return readMessage(networks, { ...common, message, encoding: encodingOf(message) });
}
