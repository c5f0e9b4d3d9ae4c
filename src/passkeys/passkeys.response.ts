// Rows of passkeys and of enrolment links as the wire shows them. The token of a link is part of neither.
import type { EnrolmentLinkRow } from '../../drizzle/passkeys/enrolment-links.ts';
import type { PasskeyRow, RecordedPasskey } from '../../drizzle/passkeys/passkeys.ts';

/** What its record and its events say of it. */
const fieldsOf = (row: RecordedPasskey) => ({
  id: row.id,
  user_id: row.userId,
  name: row.name,
  public_key: row.publicKeySpki,
  ...(row.removedAt === null ? {} : { removed_at: row.removedAt.toISOString() }),
  created_at: row.createdAt.toISOString(),
});

export const toPasskeyEventData = (row: RecordedPasskey) => ({ ...fieldsOf(row), workspace_id: row.workspaceId });

export const toPasskey = (row: PasskeyRow) => ({
  ...fieldsOf(row),
  credential_id: row.credentialId,
  aaguid: row.aaguid,
  backup_eligible: row.backupEligible,
  backed_up: row.backedUp,
  counter: row.counter,
  ...(row.lastUsedAt === null ? {} : { last_used_at: row.lastUsedAt.toISOString() }),
});

export const toEnrolmentLink = (row: EnrolmentLinkRow) => ({
  id: row.id,
  user_id: row.userId,
  status: row.status,
  ...(row.expiresAt === null ? {} : { expires_at: row.expiresAt.toISOString() }),
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
});
