// Goal: W7, the checks that watch over withdrawals and the ledger are known to see: for each rule one planted bug,
// which it names. Method: a database of its own for each bug; there a guard (trigger, constraint or compare-and-set) is
// taken away, and the product's own queries run into it as they would have.

import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { connectDatabase, type Database, type Transaction } from '../../../drizzle/database/connection.ts';
import { postLedgerEvent } from '../../../drizzle/ledger/ledger.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import {
  advanceChainTransaction,
  chainTransactions,
  insertChainTransaction,
} from '../../../drizzle/withdrawals/chain-transactions.ts';
import {
  advanceWithdrawal,
  holdFee,
  insertWithdrawal,
  type Settlement,
  settleWithdrawal,
} from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { type WithdrawalRow, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { createTestDatabase } from '../../support/processes/postgres.ts';
import { noQuote, sandbox } from '../../support/rows/funded.ts';
import { makeWallet, makeWorkspace } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { findWithdrawalViolations, type WithdrawalInvariant } from '../../support/withdrawals/withdrawal-invariants.ts';

const FROM = '0x00000000000000000000000000000000000000aa';
const paid: Settlement = { moved: true, feePaid: 3n, fields: { txHash: '0x01' }, step: { details: 'Completed.' } };

/** A wallet with 100, in a database of its own. */
class Books {
  readonly db: Database;
  readonly #workspaceId: string;
  readonly #walletId: string;

  constructor(db: Database, workspaceId: string, walletId: string) {
    this.db = db;
    this.#workspaceId = workspaceId;
    this.#walletId = walletId;
  }

  static async open(db: Database): Promise<Books> {
    const workspaceId = await makeWorkspace(db);
    const walletId = await makeWallet(db, workspaceId);
    const movements = [{ assetId: sandbox.ETH.assetId, from: 'outside', to: 'available', amount: 100n }] as const;
    await db.transaction((tx) =>
      postLedgerEvent(tx, { kind: 'deposit_confirmed', subjectId: uuidv7(), walletId, movements }),
    );
    return new Books(db, workspaceId, walletId);
  }

  do<Result>(act: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.db.transaction(act);
  }

  async accept(amount = 10n): Promise<WithdrawalRow> {
    const { assetId, networkId } = sandbox.ETH;
    const row = await this.do((tx) =>
      insertWithdrawal(tx, testSeals, {
        id: uuidv7(),
        workspaceId: this.#workspaceId,
        walletId: this.#walletId,
        assetId,
        networkId,
        feeAssetId: assetId,
        amountBaseUnits: amount,
        decimals: 18,
        fromAddress: FROM,
        derivationPath: 'm',
        recipientAddress: FROM,
        requestedBy: uuidv7(),
      }),
    );
    if (row === undefined) throw new Error('it was not accepted');
    return row;
  }

  /** On its way: one transaction is journaled, with its signing operation. */
  async send(nonce = 0, ordinal = 0, of?: WithdrawalRow): Promise<WithdrawalRow> {
    const row = of ?? (await this.accept());
    const id = uuidv7();
    const signingId = uuidv7();
    await this.do(async (tx) => {
      await advanceWithdrawal(tx, row.id, { from: 'pending', to: 'approved', details: 'Allowed.' });
      await advanceWithdrawal(tx, row.id, { from: 'approved', to: 'processing', details: 'Begun.' });
      await holdFee(tx, row, ordinal, 5n);
      await this.#sign(tx, row, signingId);
      await insertChainTransaction(tx, testSeals, {
        id,
        withdrawalId: row.id,
        ordinal,
        kind: 'transfer',
        networkId: row.networkId,
        fromAddress: FROM,
        nonce,
        fee: noQuote,
        maxFeeBaseUnits: 5n,
        unsigned: '0x',
        payloads: [],
        signingIds: [signingId],
      });
      await advanceChainTransaction(tx, id, {
        from: 'built',
        to: 'signed',
        fields: { signed: '0x00', txHash: '0x01' },
      });
      await advanceChainTransaction(tx, id, { from: 'signed', to: 'included' });
    });
    return row;
  }

  async settle(row: WithdrawalRow): Promise<void> {
    await this.do((tx) => settleWithdrawal(tx, row, paid));
  }

  signOnceMore(row: WithdrawalRow): Promise<void> {
    return this.do((tx) => this.#sign(tx, row, uuidv7()));
  }

  async #sign(tx: Transaction, { id, walletId }: WithdrawalRow, signingId: string): Promise<void> {
    await insertSigningRequest(tx, testSeals, {
      id: signingId,
      workspaceId: this.#workspaceId,
      walletId,
      operationType: 'withdrawal',
      withdrawalId: id,
      networkInternalCode: 'ETHEREUM_SANDBOX',
      keyType: 'secp256k1',
      signingHash: '0x',
      unsignedTx: '0x',
      derivationPath: 'm',
    });
  }

  run(...statements: string[]): Promise<unknown> {
    return this.do(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
    });
  }
}

/** The ledger forgets to post an event of this kind. */
const forget = (books: Books, kind: string) =>
  books.run(
    'create function forget() returns trigger language plpgsql as $$ begin return null; end $$',
    `create trigger forget before insert on ledger_events for each row when (new.kind = '${kind}') execute function forget()`,
  );
const withoutTrigger = (books: Books, table: string, trigger: string) =>
  books.run(`alter table ${table} disable trigger ${trigger}`);

type Rule = WithdrawalInvariant | 'event' | 'account';

/** What each rule shall name. */
const bugs: Record<Rule, (books: Books) => Promise<void>> = {
  event: async (books) => {
    await withoutTrigger(books, 'ledger_entries', 'ledger_entries_balanced');
    await books.run(`insert into ledger_entries (event_id, wallet_id, asset_id, kind, amount)
      select event_id, wallet_id, asset_id, kind, 1 from ledger_entries where kind = 'available' limit 1`);
  },
  account: async (books) => {
    await withoutTrigger(books, 'ledger_accounts', 'ledger_accounts_by_entries');
    await books.run(`update ledger_accounts set balance = balance + 1 where kind = 'available'`);
  },
  'no account but that of the outside world is below zero, unless the chain took it': async (books) => {
    await books.run(`create or replace function ledger_apply_entry() returns trigger language plpgsql as $$ begin
      update ledger_accounts set balance = balance + new.amount
        where wallet_id = new.wallet_id and asset_id = new.asset_id and kind = new.kind;
      return null; end $$`);
    await books.accept(101n);
  },
  'what has ended holds nothing': async (books) => {
    await forget(books, 'withdrawal_released');
    const { id } = await books.accept();
    await books.do((tx) => advanceWithdrawal(tx, id, { from: 'pending', to: 'cancelled', details: 'Cancelled.' }));
  },
  'what is open holds its amount': async (books) => {
    await forget(books, 'withdrawal_held');
    await books.accept();
  },
  'what left the ledger for a withdrawal is its amount and its fee, and only once it has completed': async (books) => {
    await books.accept(50n); // whose money is there to be taken
    const row = await books.send();
    await books.settle(row);
    await books.run('alter table ledger_events drop constraint ledger_events_once');
    await books.settle(row);
  },
  'what has completed has one transaction in a block, which is the one that it names': async (books) => {
    const row = await books.send();
    await books.do((tx) => settleWithdrawal(tx, row, { ...paid, fields: { txHash: '0x02' } }));
  },
  'a nonce belongs to one withdrawal': async (books) => {
    await books.send(7);
    await books.send(7);
  },
  'the transactions of a withdrawal have one nonce': async (books) => {
    const row = await books.send(7);
    await books.send(8, 1, row);
  },
  'a coin is spent by one withdrawal': async (books) => {
    await books.run('alter table reserved_coins drop constraint reserved_coins_network_id_tx_hash_index_pk');
    for (const { id, networkId } of [await books.accept(), await books.accept()])
      await books.run(`insert into reserved_coins (network_id, tx_hash, index, withdrawal_id, amount_base_units)
        values ('${networkId}', '0xcc', 0, '${id}', 1)`);
  },
  'what is broadcast is stored': async (books) => {
    const { id } = await books.send();
    await books.db.update(chainTransactions).set({ signed: null }).where(eq(chainTransactions.withdrawalId, id));
  },
  'a transaction is signed once for each of its payloads': async (books) => {
    await books.signOnceMore(await books.send());
  },
  'a withdrawal moves along the arrows': async (books) => {
    const row = await books.send();
    await books.settle(row);
    // Without its compare-and-set.
    await books.db.update(withdrawals).set({ status: 'processing' }).where(eq(withdrawals.id, row.id));
    await books.do((tx) => advanceWithdrawal(tx, row.id, { from: 'processing', to: 'failed', details: 'Failed.' }));
  },
  'its history ends where it stands': async (books) => {
    const { id } = await books.accept();
    await books.db.update(withdrawals).set({ status: 'approved' }).where(eq(withdrawals.id, id));
  },
};

async function inBooks(act: (books: Books) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 2, name: 'test-planted-bugs' });
  try {
    await act(await Books.open(connection.db));
  } finally {
    await connection.close();
    await database.drop();
  }
}

test('books in order break no rule, at any step', () =>
  inBooks(async (books) => {
    const check = async () => expect(await findWithdrawalViolations(books.db)).toEqual([]);
    const rows = [await books.send(0), await books.send(1)];
    await check();
    await books.accept();
    for (const row of rows) {
      await books.settle(row);
      await check();
    }
    await books.settle(rows[0] as WithdrawalRow);
    await check();
  }));

test.each(Object.entries(bugs))('W7: planted against “%s”, and named', (rule, plant) =>
  inBooks(async (books) => {
    await plant(books);
    const violations = await findWithdrawalViolations(books.db);
    expect(violations.filter((violation) => violation.startsWith(rule))).not.toEqual([]);
  }),
);
