// The wire shapes of approvals: what an approver sends, and the round as it is shown within what it is about.
import Type from 'typebox';
import { approvalRoundStatuses, approvalStatuses } from '../../domain/statuses.ts';
import { approveWithKinds } from '../../domain/votes/vote-rules.ts';
import { reasonField } from '../http/reason-body.ts';
import { answeredTicket } from './passkey-answer.schema.ts';

const dateTime = Type.String({ format: 'date-time' });

export const digestField = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'The digest that was shown: the approval is of exactly that.',
});

const passkeyField = Type.Optional(answeredTicket);

export const approveBody = Type.Union(
  [
    Type.Null(),
    Type.Object(
      { digest: Type.Optional(digestField), passkey: passkeyField },
      { title: 'SeenDigest', additionalProperties: false },
    ),
  ],
  {
    title: 'ApproveBody',
    description: 'None, or the digest of what the approver has seen.',
    examples: [{ digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
  },
);

export const digestBody = Type.Object(
  { digest: digestField, passkey: passkeyField },
  {
    title: 'ApproveDigestBody',
    additionalProperties: false,
    examples: [{ digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
  },
);

const rejectionDigest = { digest: Type.Optional(digestField), reason: reasonField, passkey: passkeyField };

export const rejectBody = Type.Union(
  [Type.Null(), Type.Object(rejectionDigest, { title: 'Rejection', additionalProperties: false })],
  {
    title: 'RejectBody',
    description: 'None, or the digest of what the approver has seen, and the reason.',
    examples: [{ reason: 'The recipient is not known to us.' }],
  },
);

export const rejectDigestBody = Type.Object(
  { ...rejectionDigest, digest: digestField },
  {
    title: 'RejectDigestBody',
    additionalProperties: false,
    examples: [{ digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
  },
);

export const approvalVote = Type.Object(
  {
    user_id: Type.String({ description: 'User id.' }),
    status: Type.Enum([...approvalStatuses]),
    voted_at: Type.Optional(dateTime),
  },
  { title: 'ApprovalVote' },
);

export const approvalRecord = Type.Object(
  {
    status: Type.Enum([...approvalRoundStatuses]),
    digest: Type.String({ description: 'SHA-256 over the canonical JSON (RFC 8785) of what is approved.' }),
    required: Type.Integer({ description: 'How many approvals.' }),
    approve_with: Type.Optional(
      Type.Enum([...approveWithKinds], { description: 'What each approval must be given with; absent for any key.' }),
    ),
    approvals: Type.Array(approvalVote, {
      description: 'One for each user who voted. Named approvers who have not are `pending`.',
    }),
    reasons: Type.Array(Type.String(), { description: 'Why it needs approval.' }),
    requested_by: Type.String({ description: 'The user who asked, who cannot approve.' }),
    expires_at: dateTime,
    decided_at: Type.Optional(dateTime),
  },
  { title: 'Approval' },
);
