// Withdrawals that are asked for over HTTP, on an API whose Temporal is away so that each signal stays in the outbox,
// and then moved as the workers move them.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { WithdrawalStatus, WithdrawalSubStatus } from '../../../domain/statuses.ts';
import { insertChainTransaction } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { advanceWithdrawal, settleWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi, type TestKey } from '../api/api.ts';
import { distinctSeconds } from '../api/distinct-seconds.ts';
import { activatePolicy, connectNetwork, credit, noQuote, sandbox } from '../rows/funded.ts';
import { outboxEntriesOf } from '../rows/outbox-entries.ts';
import { testSeals } from '../rows/seals.ts';

export const TO = {
  ETH: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  BTC: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
  SOL: 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk',
};
export const HASH = `0x${'ab'.repeat(32)}`;
export type Coin = keyof typeof TO;

export class AskedWithdrawals {
  readonly api: TestApi;
  /** Funded with each of the sandbox's assets. */
  walletId = '';
  /** Another workspace, in which each withdrawal needs two approvals. */
  approvals: { workspaceId: string; key: TestKey } = { workspaceId: '', key: { apiKey: '', apiSecret: '' } };
  readonly #nextSecond = distinctSeconds();

  private constructor(api: TestApi) {
    this.api = api;
  }

  static async start(): Promise<AskedWithdrawals> {
    const asked = new AskedWithdrawals(await startApi({ temporalAddress: '127.0.0.1:1' }));
    const { db } = asked.api;
    for (const { networkId } of Object.values(sandbox)) await connectNetwork(db, networkId);
    asked.walletId = await asked.makeFunded();
    asked.approvals = await asked.api.makeWorkspace();
    await activatePolicy(db, asked.approvals.workspaceId, {
      rules: [],
      default: { action: 'require_approvals', approvals: 2 },
    });
    return asked;
  }

  readonly makeFunded = async (workspaceId?: string): Promise<string> => {
    const id = await this.api.makeActiveWallet(workspaceId);
    for (const coin of Object.values(sandbox)) await credit(this.api.db, id, coin, 10n ** 20n);
    return id;
  };

  readonly post = (path: string, body?: unknown, key = this.api.admin, headers: Record<string, string> = {}) =>
    this.api.call('POST', `/api/v1${path}`, body, { key, headers, timestamp: this.#nextSecond() });

  readonly get = (path: string, key = this.api.admin) => this.api.call('GET', `/api/v1${path}`, undefined, { key });

  /** Asked for and allowed. */
  readonly ask = async (coin: Coin = 'ETH', wallet = this.walletId, key = this.api.admin): Promise<string> => {
    const body = { asset_id: sandbox[coin].assetId, amount: '0.25', recipient_address: TO[coin] };
    const answer = await this.post(`/wallets/${wallet}/request-withdrawal`, body, key);
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
    return answer.body.data.withdrawal.id as string;
  };

  readonly read = async (id: string): Promise<WithdrawalRow> => {
    const [row] = await this.api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
    if (row === undefined) throw new Error('there is no row');
    return row;
  };

  /** As the workers do. */
  readonly process = async (
    id: string,
    subStatus: WithdrawalSubStatus | null,
    more: Partial<WithdrawalRow> = {},
  ): Promise<void> => {
    const step = { details: 'A step.' };
    await this.api.db.transaction(async (tx) => {
      await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', fields: { subStatus: 'queued' }, ...step });
      await advanceWithdrawal(tx, id, {
        from: 'processing',
        to: 'processing',
        fields: { subStatus, ...more },
        ...step,
      });
    });
  };

  /** A transaction in the journal, as it is before it is signed. */
  readonly journal = async (
    id: string,
    kind: 'transfer' | 'drop' | 'fill' = 'transfer',
    ordinal = 0,
  ): Promise<void> => {
    const { networkId, fromAddress } = await this.read(id);
    await this.api.db.transaction((tx) =>
      insertChainTransaction(tx, testSeals, {
        id: uuidv7(),
        withdrawalId: id,
        ordinal,
        kind,
        networkId,
        fromAddress,
        fee: noQuote,
        maxFeeBaseUnits: 1n,
        unsigned: '0x',
        payloads: [],
        signingIds: [],
      }),
    );
  };

  /** In a final or any other status. */
  readonly makeAt = async (status: WithdrawalStatus | 'in a block'): Promise<string> => {
    const { db } = this.api;
    const id = await this.ask();
    const move = (from: WithdrawalStatus, to: WithdrawalStatus) =>
      db.transaction((tx) =>
        advanceWithdrawal(tx, id, { from, to, fields: { errorCode: 'frozen', errorReason: 'X.' }, details: 'X.' }),
      );
    if (status === 'failed' || status === 'cancelled') await move('approved', status);
    if (status === 'in a block')
      await this.process(id, 'confirming', { txHash: HASH, blockNumber: 7, confirmations: 1 });
    if (status === 'completed') {
      await this.process(id, 'confirming', { txHash: HASH });
      await db.transaction(async (tx) => {
        const row = (await lockWithdrawal(tx, id)) as WithdrawalRow;
        await settleWithdrawal(tx, row, {
          moved: true,
          feePaid: 0n,
          fields: { subStatus: null, blockNumber: 7, confirmations: 12 },
          step: { details: 'Completed.' },
        });
      });
    }
    return id;
  };

  readonly signalsOf = async (id: string) =>
    (await outboxEntriesOf(this.api.db, 'withdraw', id)).filter(({ signal }) => signal === 'changed');

  readonly balanceOf = async (wallet: string, { assetId }: { assetId: string }) => {
    const { body } = await this.get(`/wallets/${wallet}/balances?asset_id=${assetId}`);
    const [{ available, held }] = body.data;
    return { available, held };
  };
}
