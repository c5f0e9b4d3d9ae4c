// `countersign wallets` and `countersign addresses`.
import type { Command } from 'commander';
import type { CreateWallet } from '../../client/client.ts';
import {
  given,
  queryOf,
  readJson,
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

const WALLET = '/api/v1/wallets/{wallet_id}';
const filters = { status: 'status', name: 'name', 'external-id': 'external_id', address: 'address' };

type Reasoned = WriteChoices & { reason?: string };

export function addWallets(program: Command, session: Session): void {
  const wallets = program.command('wallets').description('wallets: make, look at, freeze');
  withListOptions(wallets.command('list').description('the newest first'), filters).action(
    (options: ListOptions & Record<string, unknown>) =>
      session.list(
        session.client.wallets(queryOf(options, filters)),
        [
          ['WALLET', ({ wallet_id }) => wallet_id],
          ['NAME', ({ name }) => name],
          ['STATUS', ({ status }) => status],
          ['EVM', ({ addresses }) => addresses.evm],
          ['CREATED', ({ created_at }) => created_at],
        ],
        options,
      ),
  );
  wallets
    .command('show <wallet>')
    .description('one wallet, with its addresses')
    .action(async (wallet_id: string) => session.record(await session.client.get(WALLET, { path: { wallet_id } })));
  addCreate(wallets, session);
  const reasoned = (name: 'freeze' | 'unfreeze' | 'archive', what: string) =>
    withWriteOptions(wallets.command(`${name} <wallet>`).description(what))
      .option('--reason <text>', 'shown in the record and in the audit log')
      .action(async (wallet_id: string, { reason, ...options }: Reasoned) =>
        session.record(
          await session.client.post(`${WALLET}/${name}`, {
            path: { wallet_id },
            body: given({ reason }),
            ...writeOptionsOf(options),
          }),
        ),
      );
  reasoned('freeze', 'nothing leaves it any more, at once');
  reasoned('unfreeze', 'ends a freeze; what waits for approval then has a `kind`');
  reasoned('archive', 'takes it out of use');
}

type CreateChoices = WriteChoices &
  WaitChoices & {
    name: string;
    externalId?: string;
    purpose?: NonNullable<CreateWallet['wallet_purpose']>;
    metadata?: string;
  };

function addCreate(wallets: Command, session: Session): void {
  withWriteOptions(withWaitOption(wallets.command('create').description('a new wallet')))
    .requiredOption('--name <name>', 'what people call it')
    .option('--external-id <id>', 'your own id: taken once')
    .option('--purpose <purpose>', 'what it is for, as in `user` or `custody`')
    .option('--metadata <json>', 'short texts by name, as JSON, @FILE or -')
    .action(async ({ name, externalId, purpose, metadata, ...options }: CreateChoices) => {
      const { client, terminal } = session;
      const texts =
        metadata === undefined ? undefined : ((await readJson(terminal, metadata)) as Record<string, string>);
      const wallet = { name, ...given({ external_id: externalId, wallet_purpose: purpose, metadata: texts }) };
      const accepted = await client.createWallet(wallet, writeOptionsOf(options));
      const timeoutMs = waitMs(options);
      if (timeoutMs === undefined) return session.record(accepted);
      const { wallet_id: id } = accepted;
      return waitFor(session, {
        id,
        read: (signal) =>
          client.get('/api/v1/wallets/creation-status/{wallet_id}', { path: { wallet_id: id }, signal }),
        wait: async (signal) => {
          await client.waitForWallet(id, { timeoutMs, signal });
          return client.get(WALLET, { path: { wallet_id: id }, signal });
        },
      });
    });
}

type Family = 'evm' | 'sol' | 'btc' | 'tron';

export function addAddresses(program: Command, session: Session): void {
  const addresses = program.command('addresses').description('where to pay a wallet');
  addresses
    .command('list <wallet>')
    .description('its address on each family of chains')
    .action(async (wallet_id: string) => {
      const { addresses: found } = await session.client.get(WALLET, { path: { wallet_id } });
      await session.list(
        Object.entries(found).map(([family, address]) => ({ wallet_id, address_type: family, address })),
        [
          ['FAMILY', ({ address_type }) => address_type],
          ['ADDRESS', ({ address }) => address],
        ],
      );
    });
  addresses
    .command('deposit <wallet>')
    .description('where a deposit of an asset, or on a network, is looked for')
    .option('--asset <id>', 'the id of the asset')
    .option('--network <id>', 'the id of the network')
    .option('--family <family>', 'evm, sol, btc or tron')
    .action(
      async (wallet_id: string, { asset, network, family }: { asset?: string; network?: string; family?: Family }) => {
        const query = given({ asset_id: asset, network_id: network, address_type: family });
        await session.record(await session.client.get(`${WALLET}/deposit-address`, { path: { wallet_id }, query }));
      },
    );
}
