// Which nodes signed a transaction of a withdrawal, as the rows of its signatures say.
import { type SQL, sql } from 'drizzle-orm';
import { signingRequests } from '../signing-requests/signing-requests.ts';
import { chainTransactions } from './chain-transactions.ts';

/** As a value: each node once, ascending. Null unless it is known of every signature. */
export const signedByNodesOf = (withdrawalId: string, txHash: string): SQL<number[] | null> => sql`(
  select array_agg(distinct node order by node)
  from ${chainTransactions} sent
    cross join unnest(sent.signing_ids) as signature (id)
    left join ${signingRequests} request on request.id = signature.id
    left join unnest(request.signed_by_nodes) as node on true
  where sent.withdrawal_id = ${withdrawalId} and sent.tx_hash = ${txHash}
  having count(*) = count(node))`;
