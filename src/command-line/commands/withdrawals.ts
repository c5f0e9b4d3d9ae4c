// `countersign withdraw` and `countersign withdrawals`.
import type { Command } from 'commander';
import type { RequestWithdrawal, Withdrawal } from '../../client/client.ts';
import {
  given,
  queryOf,
  type WaitChoices,
  type WriteChoices,
  waitMs,
  withListOptions,
  withWaitOption,
  withWriteOptions,
  writeOptionsOf,
} from '../options.ts';
import type { ListOptions, Session } from '../session.ts';
import { waitFor } from '../waiting.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const filters = {
  status: 'status',
  'sub-status': 'sub_status',
  wallet: 'wallet_id',
  asset: 'asset_id',
  network: 'network_id',
  'external-id': 'external_id',
  hash: 'tx_hash',
  address: 'address',
};

interface Payment {
  asset: string;
  network?: string;
  to: string;
  amount: string;
  subtractFee?: boolean;
  feeLevel?: Withdrawal['fee_level'];
  maxFee?: string;
  notes?: string;
  externalId?: string;
}

export function addWithdraw(program: Command, session: Session): void {
  withWriteOptions(
    withWaitOption(withPayment(program.command('withdraw <wallet>').description('pay from a wallet'))),
  ).action(async (walletId: string, choices: Payment & WriteChoices & WaitChoices) => {
    const { client } = session;
    const { withdrawal } = await client.requestWithdrawal(walletId, bodyOf(choices), writeOptionsOf(choices));
    const timeoutMs = waitMs(choices);
    if (timeoutMs === undefined) return session.record(withdrawal);
    return follow(session, withdrawal.id, timeoutMs);
  });
}

export function addWithdrawals(program: Command, session: Session): void {
  const withdrawals = program.command('withdrawals').description('payments that were asked for');
  withListOptions(withdrawals.command('list').description('the newest first'), filters).action(
    (options: ListOptions & Record<string, unknown>) =>
      session.list(
        session.client.withdrawals(queryOf(options, filters)),
        [
          ['WITHDRAWAL', ({ id }) => id],
          ['STATUS', ({ status }) => status],
          ['', ({ sub_status }) => sub_status],
          ['AMOUNT', ({ amount }) => amount, 'right'],
          ['NETWORK', ({ network_internal_code }) => network_internal_code],
          ['TO', ({ recipient_address }) => recipient_address],
          ['CREATED', ({ created_at }) => created_at],
        ],
        options,
      ),
  );
  withdrawals
    .command('show <withdrawal>')
    .description('one of them')
    .action(async (id: string) => session.record(await session.client.withdrawal(id)));
  withdrawals
    .command('history <withdrawal>')
    .description('every step, the oldest first')
    .action(async (id: string) =>
      session.list(await session.client.withdrawalHistory(id), [
        ['AT', ({ created_at }) => created_at],
        ['STATUS', ({ status }) => status],
        ['', ({ sub_status }) => sub_status],
        ['DETAILS', ({ details, reason }) => details ?? reason],
        ['TRANSACTION', ({ tx_hash }) => tx_hash],
      ]),
    );
  withPayment(withdrawals.command('estimate <wallet>').description('what it would cost; asks for nothing')).action(
    async (walletId: string, choices: Payment) =>
      session.record(await session.client.estimateWithdrawal(walletId, bodyOf(choices))),
  );
  withWaitOption(withdrawals.command('wait <withdrawal>').description('until it has ended')).action(
    async (id: string, choices: WaitChoices) => follow(session, id, waitMs({ wait: true, ...choices }) ?? 0),
  );
  addChanges(withdrawals, session);
}

function addChanges(withdrawals: Command, session: Session): void {
  withWriteOptions(withdrawals.command('cancel <withdrawal>').description('while nothing of it is signed'))
    .option('--reason <text>', 'shown in the record and in the audit log')
    .action(async (id: string, { reason, ...options }: WriteChoices & { reason?: string }) =>
      session.record(await session.client.cancelWithdrawal(id, { ...given({ reason }), ...writeOptionsOf(options) })),
    );
  withWriteOptions(withdrawals.command('speed-up <withdrawal>').description('pay more for what waits for a block'))
    .option('--fee-level <level>', 'low, medium or high')
    .action(async (id: string, { feeLevel, ...options }: WriteChoices & Pick<Payment, 'feeLevel'>) =>
      session.record(
        await session.client.speedUpWithdrawal(id, { ...given({ feeLevel }), ...writeOptionsOf(options) }),
      ),
    );
  withWriteOptions(
    withdrawals.command('drop <withdrawal>').description('replace what waits for a block by what moves nothing'),
  ).action(async (id: string, options: WriteChoices) =>
    session.record(await session.client.dropWithdrawal(id, writeOptionsOf(options))),
  );
}

const withPayment = (command: Command) =>
  command
    .requiredOption('--asset <asset>', 'its id, or its symbol with --network')
    .option('--network <code>', 'the internal code of the network, as in ETHEREUM_SANDBOX')
    .requiredOption('--to <address>', 'who is paid')
    .requiredOption('--amount <amount>', 'as in 0.25, or `max` for all that is available')
    .option('--subtract-fee', 'the fee is taken out of the amount')
    .option('--fee-level <level>', 'low, medium or high')
    .option('--max-fee <amount>', 'what the fee may be at most')
    .option('--notes <text>', 'kept with it')
    .option('--external-id <id>', 'your own id: taken once');

function bodyOf({ asset, network, to, amount, ...choices }: Payment): RequestWithdrawal {
  return {
    ...(UUID.test(asset) ? { asset_id: asset } : { asset }),
    amount,
    recipient_address: to,
    ...given({
      network,
      subtract_fee: choices.subtractFee,
      fee_level: choices.feeLevel,
      max_fee: choices.maxFee,
      notes: choices.notes,
      external_id: choices.externalId,
    }),
  };
}

const follow = (session: Session, id: string, timeoutMs: number) =>
  waitFor(session, {
    id,
    read: (signal) => session.client.withdrawal(id, { signal }),
    wait: (signal) => session.client.waitForWithdrawal(id, { timeoutMs, signal }),
  });
