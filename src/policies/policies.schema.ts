// The wire shapes of policies: the document that decides, and what is answered about it. The one source of what a rule
// may say.
import Type, { type Static, type TProperties } from 'typebox';
import { differenceKinds, policyParts } from '../../domain/policies/policy-differences.ts';
import { callKinds, payloadKinds, policyStatuses, transactionMethods } from '../../domain/statuses.ts';
import { approveWithKinds } from '../../domain/votes/vote-rules.ts';
import { approvalRecord } from '../approvals/approvals.schema.ts';
import { listQuery } from '../http/paging.ts';

const strict = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

const RULES_MAX = 100;
const LIST_MAX = 100;
const ADDRESSES_MAX = 1_000;
const APPROVALS_MAX = 20;
const DAY_SECONDS = 86_400;
export const EXPIRY_DEFAULT_SECONDS = DAY_SECONDS;

const listOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item, description: string, maxItems = LIST_MAX) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems, uniqueItems: true, description }));

/** In lower case, so that one id is one text. */
export const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
const amount = (description: string) =>
  Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$', maxLength: 79, description }));
const number = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }));
const windowSeconds = Type.Integer({ minimum: 1, maximum: 366 * DAY_SECONDS, description: 'Back from now.' });
const per = Type.Enum(['wallet', 'workspace'], { description: 'Whose operations are looked at.' });

const neededApprovals = {
  approvals: Type.Integer({
    minimum: 1,
    maximum: APPROVALS_MAX,
    description: 'How many different users must approve.',
  }),
  approvers: listOf(
    uuid,
    'User ids of those who may; any user whose key has the scope when absent. A key that was made before there were users has a user with its own id.',
  ),
  approve_with: Type.Optional(
    Type.Enum([...approveWithKinds], {
      description:
        '`passkey`: an approval counts only with a fresh assertion over it by a passkey of its user, so that no stolen API key approves. It is looked at when the approvals are counted, also of those given before. Any key with the scope when absent.',
    }),
  ),
  expires_in_seconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 30 * DAY_SECONDS, description: `${EXPIRY_DEFAULT_SECONDS} when absent.` }),
  ),
};

const allowOrDeny = strict({ action: Type.Enum(['allow', 'deny']) }, { title: 'AllowOrDenyAction' });
const requireApprovals = strict(
  { action: Type.Literal('require_approvals'), ...neededApprovals },
  { title: 'RequireApprovalsAction' },
);

/** With the discriminator an action is checked against its own shape only, and the error is about that. */
const policyAction = Type.Unsafe<Static<typeof allowOrDeny> | Static<typeof requireApprovals>>({
  type: 'object',
  required: ['action'],
  discriminator: { propertyName: 'action' },
  oneOf: [allowOrDeny, requireApprovals],
});

/** Beside the fields that are required. */
const oneBound = (required: number) => ({
  minProperties: required + 1,
  description: 'At least one of `more_than` and `at_most`.',
});

const boundOfAmount = () =>
  amount(
    'Of `amount`: in units of the asset, of a native currency with the fee. Of `fee`: what the network may take at ' +
      'most, in units of its native currency.',
  );
const amountBounds = strict(
  { asset_id: uuid, more_than: boundOfAmount(), at_most: boundOfAmount() },
  { ...oneBound(1), title: 'AmountBounds' },
);

export const conditions = strict(
  {
    operations: listOf(Type.Enum(['withdrawal', 'signing']), 'What is asked for.'),
    methods: listOf(Type.Enum([...transactionMethods]), 'Of a withdrawal.'),
    networks: listOf(Type.String({ minLength: 1, maxLength: 64 }), 'Internal codes.'),
    wallet_ids: listOf(uuid, 'Of these wallets.', ADDRESSES_MAX),
    initiators: listOf(
      uuid,
      'User ids of who asks. A key that was made before there were users has a user with its own id.',
    ),
    asset_ids: listOf(uuid, 'Of these assets.', ADDRESSES_MAX),
    amount: Type.Optional(amountBounds),
    fee: Type.Optional(amountBounds),
    velocity: Type.Optional(
      strict(
        {
          asset_id: uuid,
          per,
          window_seconds: windowSeconds,
          more_than: amount(
            'The sum of what withdrawals and signatures in the window may move, fees and this one included.',
          ),
          at_most: amount(
            'The sum of what withdrawals and signatures in the window may move, fees and this one included.',
          ),
        },
        oneBound(3),
      ),
    ),
    count: Type.Optional(
      strict(
        {
          per,
          window_seconds: windowSeconds,
          more_than: number('Operations of the same kind in the window, this one included.'),
          at_most: number('Operations of the same kind in the window, this one included.'),
        },
        oneBound(2),
      ),
    ),
    destination: Type.Optional(
      strict(
        {
          in_address_book: Type.Optional(
            Type.Boolean({ description: 'Whether the address book has it for this network.' }),
          ),
          addresses: listOf(Type.String({ minLength: 1, maxLength: 256 }), 'One of these.', ADDRESSES_MAX),
        },
        { minProperties: 1 },
      ),
    ),
    payload_kinds: listOf(Type.Enum([...payloadKinds]), 'What is to be signed.'),
    typed_data: Type.Optional(
      strict(
        {
          domain_names: listOf(Type.String({ maxLength: 256 }), '`domain.name`.'),
          chain_ids: listOf(Type.String({ pattern: '^[1-9][0-9]{0,77}$' }), '`domain.chainId` as decimal text.'),
          verifying_contracts: listOf(
            Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
            '`domain.verifyingContract`, in any case.',
            ADDRESSES_MAX,
          ),
          primary_types: listOf(Type.String({ minLength: 1, maxLength: 256 }), '`primaryType`.'),
        },
        { minProperties: 1 },
      ),
    ),
    calls: listOf(
      Type.Enum([...callKinds]),
      'What a transaction does: it moves an amount; it gives power away (approvals, permits, upgrades, changes of owner, delegated calls); or it cannot be told.',
    ),
    selectors: listOf(Type.String({ pattern: '^0x[0-9a-f]{8}$' }), 'The first four bytes of an EVM call.'),
  },
  {
    title: 'PolicyConditions',
    description:
      'All must hold; without any the rule always applies. Of a rule that allows they must hold for all that the operation moves (amounts are summed by asset), and what is not ' +
      'known of it meets none. Of one that denies or asks for approvals they hold already for a part of it, and what is not known, such as the amount of a raw digest, meets all. ' +
      'What the operation does not have meets none: a message moves nothing.',
  },
);

const rule = strict(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'Shown in reasons; no two alike.' }),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    when: conditions,
    then: policyAction,
  },
  { title: 'PolicyRule' },
);

const documentExample = {
  rules: [
    { name: 'no blind signatures', when: { payload_kinds: ['raw_digest'] }, then: { action: 'deny' } },
    {
      name: 'known destinations',
      when: { operations: ['withdrawal'], destination: { in_address_book: true } },
      then: { action: 'allow' },
    },
  ],
  default: { action: 'require_approvals', approvals: 1, expires_in_seconds: 3600 },
};

export const policyDocument = strict(
  {
    rules: Type.Array(rule, {
      maxItems: RULES_MAX,
      description:
        'In order: the first that applies to all of an operation decides, or one that denies a part of it. One that asks for approvals for a part counts beside what comes after it, ' +
        'and the strictest decides. A rule that does not name `dangerous` or `unknown` calls permits none: for them it is passed over unless it denies, and so they are denied by ' +
        'default. Raw digests (`payload_kinds`) and typed data of no known standard (`primary_types`, `verifying_contracts`) are allowed only where a rule names them, and may be ' +
        'approved without. What may be valid on several networks is judged for each: the strictest outcome counts.',
    }),
    default: policyAction,
    changes: Type.Optional(
      strict(neededApprovals, {
        description:
          'What a change of this policy, of users and keys, a new address in the book, and unfreezing needs. Absent: nothing in the sandbox, one approval in production.',
      }),
    ),
  },
  { title: 'PolicyDocument', examples: [documentExample] },
);

const dateTime = Type.String({ format: 'date-time' });

const policyDifference = Type.Object(
  {
    part: Type.Enum([...policyParts]),
    change: Type.Enum([...differenceKinds], { description: '`moved`: the rule has another place among the others.' }),
    rule: Type.Optional(Type.String({ description: 'The name of the rule.' })),
    before: Type.Optional(Type.Unknown({ description: 'The part; of a rule that moved its `place`, counted from 1.' })),
    after: Type.Optional(Type.Unknown({ description: 'The same.' })),
  },
  { title: 'PolicyDifference' },
);

export const policyVersion = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], { description: 'Null for the one that is built in.' }),
    version: Type.Integer({ description: '0 for the one that is built in.' }),
    status: Type.Enum([...policyStatuses]),
    document: policyDocument,
    created_by: Type.Optional(Type.String({ description: 'The user who set it.' })),
    created_at: Type.Optional(dateTime),
    updated_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When its status changed last: since when one is in force.' }),
    ),
    approval: Type.Optional(approvalRecord),
    altered: Type.Optional(
      Type.Literal(true, { description: 'Somebody else than the service has written it: nothing is decided by it.' }),
    ),
    compared_with: Type.Optional(
      Type.Integer({ description: 'In the history: the version that was in force when it was asked for.' }),
    ),
    differences: Type.Optional(
      Type.Array(policyDifference, { description: 'In the history: what it changes of that one.' }),
    ),
  },
  { title: 'PolicyVersion' },
);

export const policyHistoryQuery = listQuery({});

export const policyRecord = Type.Object(
  {
    active: policyVersion,
    pending: Type.Union([policyVersion, Type.Null()], { description: 'A change that waits for approvals.' }),
  },
  { title: 'Policy' },
);
