// `countersign transactions`, `balances`, `address-book`, `networks`, `assets` and `fees`.
import type { Command } from 'commander';
import { CountersignError } from '../../client/client.ts';
import { queryOf, type WriteChoices, withListOptions, withWriteOptions, writeOptionsOf } from '../options.ts';
import type { ListOptions, Session } from '../session.ts';

type Listed = ListOptions & Record<string, unknown>;

const transactionFilters = {
  status: 'status',
  direction: 'direction',
  wallet: 'wallet_id',
  asset: 'asset_id',
  network: 'network_id',
  hash: 'tx_hash',
  address: 'address',
  'external-id': 'external_id',
};
const balanceFilters = { wallet: 'wallet_id', asset: 'asset_id', network: 'network_id' };

export function addTransactions(program: Command, session: Session): void {
  const transactions = program.command('transactions').description('what came in and went out');
  withListOptions(transactions.command('list').description('the newest first'), transactionFilters).action(
    (options: Listed) =>
      session.list(
        session.client.transactions(queryOf(options, transactionFilters)),
        [
          ['TRANSACTION', ({ id }) => id],
          ['', ({ direction }) => direction],
          ['STATUS', ({ status }) => status],
          ['AMOUNT', ({ amount }) => amount, 'right'],
          ['ASSET', ({ symbol, asset_id }) => symbol ?? asset_id],
          ['NETWORK', ({ network_internal_code, network_id }) => network_internal_code ?? network_id],
          ['HASH', ({ tx_hash }) => tx_hash],
          ['CREATED', ({ created_at }) => created_at],
        ],
        options,
      ),
  );
  transactions
    .command('show <transaction>')
    .description('one of them')
    .action(async (transaction_id: string) =>
      session.record(
        await session.client.get('/api/v1/workspaces/{workspace_id}/transactions/{transaction_id}', {
          path: { transaction_id },
        }),
      ),
    );
}

export function addBalances(program: Command, session: Session): void {
  withListOptions(program.command('balances').description('what each wallet has'), balanceFilters).action(
    async (options: Listed) => {
      const networks = session.json ? new Map<string, string>() : await networkCodes(session);
      await session.list(
        session.client.balances(queryOf(options, balanceFilters)),
        [
          ['WALLET', ({ wallet_id }) => wallet_id],
          ['ASSET', ({ symbol }) => symbol],
          ['NETWORK', ({ network_id }) => networks.get(network_id) ?? network_id],
          ['TOTAL', ({ total }) => total, 'right'],
          ['AVAILABLE', ({ available }) => available, 'right'],
          ['HELD', ({ held }) => held, 'right'],
          ['COMING', ({ pending_in }) => pending_in, 'right'],
        ],
        options,
      );
    },
  );
}

/** Empty where the key may not read them: then people see ids. */
async function networkCodes({ client }: Session): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  try {
    for await (const { id, internal_code } of client.list('/api/v1/networks')) codes.set(id, internal_code);
  } catch (error) {
    if (!(error instanceof CountersignError) || error.status !== 403) throw error;
  }
  return codes;
}

export function addAddressBook(program: Command, session: Session): void {
  const book = program.command('address-book').description('addresses that the policy knows by name');
  withListOptions(book.command('list').description('every entry'), { network: 'network_id' }).action(
    (options: Listed) =>
      session.list(
        session.client.addressBook(queryOf(options, { network: 'network_id' })),
        [
          ['ENTRY', ({ id }) => id],
          ['LABEL', ({ label }) => label],
          ['STATUS', ({ status }) => status],
          ['NETWORK', ({ network_id }) => network_id],
          ['ADDRESS', ({ address }) => address],
        ],
        options,
      ),
  );
  withWriteOptions(book.command('add <address>').description('waits for approval where the policy wants it'))
    .requiredOption('--network <id>', 'the id of the network')
    .requiredOption('--label <text>', 'what people call it')
    .action(
      async (address: string, { network, label, ...options }: WriteChoices & { network: string; label: string }) =>
        session.record(
          await session.client.addAddress({ network_id: network, address, label }, writeOptionsOf(options)),
        ),
    );
  withWriteOptions(book.command('remove <entry>').description('at once')).action(
    async (id: string, options: WriteChoices) =>
      session.record(await session.client.removeAddress(id, writeOptionsOf(options))),
  );
}

export function addCatalog(program: Command, session: Session): void {
  withListOptions(program.command('networks').description('the chains, and what can be done on each')).action(
    (options: Listed) =>
      session.list(
        session.client.list('/api/v1/networks', { query: queryOf(options) }),
        [
          ['NETWORK', ({ id }) => id],
          ['CODE', ({ internal_code }) => internal_code],
          ['CURRENCY', ({ native_currency }) => native_currency],
          [
            'CAN',
            ({ capabilities }) =>
              Object.entries(capabilities)
                .flatMap(([name, can]) => (can ? [name] : []))
                .join(' '),
          ],
        ],
        options,
      ),
  );
  const assetFilters = { symbol: 'symbol', network: 'network_id', search: 'q' };
  withListOptions(program.command('assets').description('currencies and tokens'), assetFilters).action(
    (options: Listed) =>
      session.list(
        session.client.list('/api/v1/assets', { query: queryOf(options, assetFilters) }),
        [
          ['ASSET', ({ id }) => id],
          ['SYMBOL', ({ symbol }) => symbol],
          ['NETWORK', ({ network }) => network.internal_code],
          ['DECIMALS', ({ decimals }) => decimals, 'right'],
          ['CONTRACT', ({ contract_address }) => contract_address],
        ],
        options,
      ),
  );
  program
    .command('fees <network>')
    .description('what a plain transfer costs at most (by the id of the network)')
    .action(async (id: string) => session.record(await session.client.fees(id)));
}
