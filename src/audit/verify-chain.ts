// Verifies the audit chain of a workspace as it is stored: every place, hash and signed head, and that nothing stands
// beside the chain. Reads row after row with little memory; changes nothing.

import { toAuditEntry } from '../../drizzle/audit/audit-entries.ts';
import { toSignedHead } from '../../drizzle/audit/audit-heads.ts';
import {
  countDeletedUnsealed,
  hasUnsealed,
  type Link,
  listFindings,
  listHeadsBeyond,
  listUnsealedLate,
  streamChain,
} from '../../drizzle/audit/audit-reading.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { ChainCheck, type Verification } from './chain-check.ts';

const LISTED_MAX = 20;

export async function verifyChain(
  db: Database,
  { workspaceId, publicKey }: { workspaceId: string; publicKey: string },
  signal: AbortSignal,
): Promise<Verification> {
  const chain = new ChainCheck({ workspaceId, publicKey, kept: [] });
  for await (const links of streamChain(db, { workspaceId, afterSeq: 0 }, signal))
    for (const link of links) check(chain, link);
  for (const seq of await listHeadsBeyond(db, workspaceId, LISTED_MAX))
    chain.report(seq, 'A head was signed over this place, which the chain does not have any more.');
  for (const id of await listUnsealedLate(db, workspaceId, LISTED_MAX))
    chain.report(null, `The entry ${id} has no place in the chain.`);
  const deleted = await countDeletedUnsealed(db, workspaceId);
  if (deleted > 0) chain.report(null, `${deleted} entries were deleted before they had a place in the chain.`);
  for (const { seq, node, found } of await listFindings(db, workspaceId, LISTED_MAX))
    chain.report(
      seq,
      found === null
        ? `The MPC node ${node} keeps a hash of this place, in which there was no entry.`
        : `The MPC node ${node} keeps another hash of this place.`,
    );
  if (chain.seq === 0 && !(await hasUnsealed(db, workspaceId)))
    chain.report(null, 'The log has no entry, and every log begins with one.');
  return chain.finish();
}

function check(chain: ChainCheck, { seq, previousHash, hash, entry, head }: Link): void {
  chain.link({ seq, previousHash, hash, entry: entry === null ? undefined : toAuditEntry(entry) });
  if (head !== null) chain.head(toSignedHead(head));
}
