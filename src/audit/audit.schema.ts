// The wire shapes of the audit log.
import Type from 'typebox';
import { auditActors, auditOutcomes } from '../../drizzle/audit/audit-tables.ts';
import { commaList, listQuery } from '../http/paging.ts';
import { walletId } from '../wallets/wallets.schema.ts';

const id = (description: string) => Type.String({ format: 'uuid', description });
const orNull = <Of extends ReturnType<typeof Type.String>>(of: Of) => Type.Union([of, Type.Null()]);
const hash = Type.String({ description: 'SHA-256, 64 hex digits.' });
const kept = (description: string) => Type.Unknown({ description });

/** What is hashed; the order of the fields is the order of the columns in the CSV export. */
const entryProperties = {
  id: id('Id of the entry.'),
  workspace_id: id('Workspace.'),
  actor: Type.Enum([...auditActors]),
  actor_id: orNull(id('The API key. Of a request that was not authenticated, the key that it named.')),
  ip: orNull(Type.String({ description: 'Where the request came from.' })),
  request_id: orNull(Type.String({ description: '`X-Request-Id` of its answer.' })),
  action: Type.String({
    description: "The route, or the operator's command; `many requests` for refusals that are only counted.",
    examples: ['POST /wallets/{wallet_id}/freeze'],
  }),
  resource_id: orNull(Type.String({ description: 'What was made or changed, or was to be.' })),
  wallet_id: orNull(id('The wallet that it is about.')),
  outcome: Type.Enum([...auditOutcomes]),
  status_code: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the answer to what was refused.' }),
  code: orNull(Type.String({ description: 'Why it was refused.' })),
  body_hash: orNull(Type.String({ description: 'SHA-256 of the body as it was sent, hex.' })),
  body: kept('The body; null when it was malformed or longer than 16 KiB.'),
  before: kept('What was changed, as it was. Of more than 16 KiB only `bytes` and `sha256` of its canonical JSON.'),
  after: kept('What was made, or how it is now.'),
  created_at: Type.String({ format: 'date-time' }),
  sealed: Type.Optional(
    Type.Unknown({
      description:
        'Of a change of rows that decide (keys, users, policies, the address book, a freeze): which, and the version that each has now, marked by the service. Absent elsewhere.',
    }),
  ),
};

export const auditLog = Type.Object(
  {
    ...entryProperties,
    seq: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Its place in the chain of the workspace; null for a second or two, until it is sealed.',
    }),
    hash: Type.Union([hash, Type.Null()], { description: 'Of its place, the hash before it and everything above.' }),
  },
  { title: 'AuditLog' },
);

/** Columns of the CSV export. */
export const csvColumns = ['seq', 'hash', ...Object.keys(entryProperties)] as const;

const filters = {
  actor_id: commaList(id('API key.'), 'Only by these API keys.'),
  action: commaList(Type.String({ minLength: 1, maxLength: 200 }), 'Only these routes or commands.'),
  outcome: commaList(Type.Enum([...auditOutcomes]), 'Only with these outcomes.'),
  resource_id: commaList(Type.String({ minLength: 1, maxLength: 200 }), 'Only about these resources.'),
  wallet_id: commaList(walletId, 'Only about these wallets.'),
};

export const auditLogsQuery = listQuery(filters);

const { from, to, sort_order } = listQuery({}).properties;

export const auditExportQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(['csv', 'jsonl'], { description: '`csv` when absent.' })),
    ...filters,
    from,
    to,
    sort_order,
    after_seq: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only for `jsonl`, which takes no filter: the chain from the place after this one on.',
      }),
    ),
  },
  { additionalProperties: false, explode: false },
);

export const auditHead = Type.Object(
  {
    workspace_id: id('Workspace.'),
    seq: Type.Integer({ description: 'The last place of the chain at that moment.' }),
    hash,
    signed_at: Type.String({ format: 'date-time' }),
    public_key: Type.String({ description: 'Ed25519, 32 bytes, base64. Keep it from a time that you trust.' }),
    signature: Type.String({
      description: 'Ed25519 over the canonical JSON (RFC 8785) of workspace_id, seq, hash and signed_at, base64.',
    }),
  },
  { title: 'AuditHead' },
);

export const auditVerification = Type.Object(
  {
    valid: Type.Boolean(),
    entries: Type.Integer({ description: 'How many places of the chain were checked.' }),
    seq: Type.Integer({ description: 'The last one.' }),
    hash,
    problems: Type.Array(Type.Object({ seq: Type.Union([Type.Integer(), Type.Null()]), message: Type.String() }), {
      description: 'The first twenty.',
    }),
  },
  { title: 'AuditVerification' },
);
