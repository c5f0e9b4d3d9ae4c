// The books: every movement of the demo stands in the list of transactions, once, and in its export as CSV.
import type { CountersignClient } from '../client/client.ts';
import { signRequest } from '../client/sign-request.ts';
import type { Moved, Wallets } from './money.ts';
import { show } from './report.ts';

export interface Credentials {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

export async function checkRecords(
  client: CountersignClient,
  credentials: Credentials,
  wallets: Wallets,
  moved: readonly Moved[],
): Promise<void> {
  const wanted = moved.flatMap(({ deposit, withdrawal, inboundTransfer }) => [deposit, withdrawal, inboundTransfer]);
  const walletIds = [wallets.from, wallets.to];
  const listed = new Set<string>();
  let landed = 0;
  for await (const { transaction_id, status } of client.transactions({ wallet_id: walletIds })) {
    listed.add(transaction_id);
    if (status === 'completed' || status === 'confirmed') landed += 1;
  }
  const exported = await exportCsv(client, credentials, walletIds);
  const lines = exported.trim().split('\r\n');
  for (const id of wanted) {
    if (!listed.has(id)) throw new Error(`The list of transactions lacks ${id}.`);
    if (!lines.some((line) => line.includes(id))) throw new Error(`The export lacks ${id}.`);
  }
  if (landed !== wanted.length) throw new Error(`${landed} movements landed in the place of ${wanted.length}.`);
  console.log('\nRecords');
  show('list', `${listed.size} transactions of both wallets`);
  show('export', `${lines.length - 1} lines of CSV: ${lines[0]?.slice(0, 60)}…`);
}

/** Not JSON, so the client has no call for it: signed as any request is. */
async function exportCsv(client: CountersignClient, credentials: Credentials, walletIds: string[]): Promise<string> {
  const workspaceId = await client.workspaceId();
  const path = `/api/v1/workspaces/${workspaceId}/transactions/export?wallet_id=${walletIds.join(',')}`;
  const headers = signRequest(credentials, { method: 'GET', path, body: '' }, Math.floor(Date.now() / 1000));
  const response = await fetch(credentials.baseUrl + path, { headers });
  if (response.status !== 200) throw new Error(`The export answers ${response.status}: ${await response.text()}`);
  return response.text();
}
