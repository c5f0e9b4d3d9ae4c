// One example of each error answer, by its status, for the OpenAPI document. Answers nothing itself.
import type { ApiErrorCode } from '../../../domain/failures.ts';
import { failure } from '../envelope.ts';

const example = (code: ApiErrorCode, message: string) => failure(code, message);

export const errorExamples: Readonly<Record<string, ReturnType<typeof failure>>> = {
  400: example('invalid_signing_hash', 'signing_hash must be exactly 32 bytes in hex (64 digits), with or without 0x.'),
  401: example('unauthorized', 'invalid api signature'),
  403: example('insufficient_scope', 'This key lacks the scope signing:read, which a signature takes.'),
  404: example('not_found', 'No such wallet in this workspace.'),
  409: example('invalid_state', 'The wallet is archived, and only an active wallet signs.'),
  413: example('payload_too_large', 'The body is larger than 1 MiB: send less in one request.'),
  415: example('unsupported_media_type', 'Send the body as Content-Type: application/json.'),
  423: example('wallet_frozen', 'The wallet is frozen: unfreeze it to sign.'),
  429: example('rate_limited', 'This key has made too many requests: try again in 1 seconds.'),
  503: example('dependency_unavailable', 'The service is overloaded: nothing was stored, try again in a second.'),
};
