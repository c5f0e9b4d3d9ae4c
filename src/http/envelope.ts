// The one shape of every JSON answer: {success, message, code, data}.
import Type, { type TSchema } from 'typebox';
import { apiErrors } from '../../domain/failures.ts';

export const success = <Data>(data: Data) => ({
  success: true as const,
  message: 'success' as const,
  code: 0 as const,
  data,
});

export const failure = (code: string, message: string) => ({ success: false as const, message, code, data: null });

/** A field of a record, which is left out where there is nothing. */
export const present = <Name extends string, Value>(name: Name, value: Value | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };

export const envelopeOf = <Schema extends TSchema>(data: Schema) =>
  Type.Object(
    {
      success: Type.Literal(true),
      message: Type.Literal('success'),
      code: Type.Literal(0),
      data,
    },
    { description: 'Success.' },
  );

const codes = Object.entries(apiErrors)
  .map(([code, { status }]) => `\`${code}\` (${status})`)
  .join(', ');

export const errorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: 'One sentence that says what to change.' }),
    code: Type.String({ description: `A stable code for programs: ${codes}.` }),
    data: Type.Null(),
  },
  { $id: 'Error', title: 'Error' },
);

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is wrong, whatever is stored: the message says what to change.',
  401: 'The request is not authenticated: one answer for every cause.',
  403: 'The key may not do this: scope, wallet or address.',
  404: 'There is no such thing in this workspace.',
  405: 'The path has no such method: `Allow` names those it has.',
  409: 'Well-formed, but it collides with what is stored. `request_replayed`: an equal request was accepted with the same signature (two equal writes in one second): sign again at another second, or tell the two apart by `external_id`. `idempotency_key_reused`: the key belongs to another request.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  423: 'The wallet, or the workspace, is frozen.',
  429: 'Too many requests with this key, or its workspace has as much of something as it may have: `Retry-After` says when to go on.',
  503: 'A dependency cannot be reached, the route is switched off, or the service is overloaded: try again later.',
};

/** The error answers of a route, for its response schema. */
export const errors = <Status extends number>(...statuses: Status[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { ...Type.Ref('Error'), description: meanings[status] }]),
  ) as unknown as Record<Status, typeof errorEnvelope>;
