// `countersign sign` and `countersign signing-requests`.
import type { Command } from 'commander';
import type { SignAccepted, SignTyped, WriteOptions } from '../../client/client.ts';
import {
  given,
  queryOf,
  readContent,
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

const REQUEST = '/api/v1/signing-requests/{signing_id}';
const filters = { status: 'status', wallet: 'wallet_id', network: 'network_id', 'external-id': 'external_id' };

interface SignChoices extends WriteChoices, WaitChoices {
  network: string;
  externalId?: string;
  path?: string;
}

interface Asked {
  walletId: string;
  content: string;
  common: { network_internal_code: string; external_id?: string; derivation_path?: string };
  options: WriteOptions;
}

interface Way {
  name: string;
  content: string;
  description: string;
  start: (asked: Asked) => PromiseLike<SignAccepted>;
}

export function addSign(program: Command, session: Session): void {
  const sign = program.command('sign').description('have a wallet sign');
  addWay(sign, session, {
    name: 'message',
    content: 'message',
    description: 'a message: its text, @FILE or -',
    start: ({ walletId, content, common, options }) =>
      session.client.signMessage(walletId, { ...common, message: content }, options),
  });
  addWay(sign, session, {
    name: 'typed',
    content: 'document',
    description: 'typed data (EIP-712): JSON, @FILE or -',
    start: async ({ walletId, content, common, options }) => {
      const typed_data = (await readJson(session.terminal, content)) as SignTyped['typed_data'];
      return session.client.signTyped(walletId, { ...common, typed_data }, options);
    },
  });
  addWay(sign, session, {
    name: 'transaction',
    content: 'transaction',
    description: 'an unsigned transaction as the network encodes it: its text, @FILE or -',
    start: ({ walletId, content, common, options }) =>
      session.client.signTransaction(walletId, { ...common, unsigned_tx: content.trim() }, options),
  });
  addWay(sign, session, {
    name: 'digest',
    content: 'digest',
    description: 'a digest that says nothing of what it is of (0x and 64 digits)',
    start: ({ walletId, content, common, options }) =>
      session.client.sign(walletId, { ...common, signing_hash: content.trim() }, options),
  });
}

function addWay(sign: Command, session: Session, { name, content, description, start }: Way): void {
  withWriteOptions(withWaitOption(sign.command(`${name} <wallet> <${content}>`).description(description)))
    .requiredOption('--network <code>', 'the internal code of the network, as in ETHEREUM_SANDBOX')
    .option('--external-id <id>', 'your own id: taken once')
    .option('--path <path>', 'the derivation path of the key, as in m/44/60/0/0/1')
    .action(async (walletId: string, text: string, { network, externalId, path, ...options }: SignChoices) => {
      const { client, terminal } = session;
      const { signing_request: request } = await start({
        walletId,
        content: await readContent(terminal, text),
        common: { network_internal_code: network, ...given({ external_id: externalId, derivation_path: path }) },
        options: writeOptionsOf(options),
      });
      const timeoutMs = waitMs(options);
      if (timeoutMs === undefined) return session.record(request);
      return waitFor(session, {
        id: request.id,
        read: (signal) => client.get(REQUEST, { path: { signing_id: request.id }, signal }),
        wait: (signal) => client.waitForSignature(request.id, { timeoutMs, signal }),
      });
    });
}

export function addSigningRequests(program: Command, session: Session): void {
  const requests = program.command('signing-requests').description('what wallets were asked to sign');
  withListOptions(requests.command('list').description('the newest first'), filters).action(
    (options: ListOptions & Record<string, unknown>) =>
      session.list(
        session.client.signingRequests(queryOf(options, filters)),
        [
          ['REQUEST', ({ id }) => id],
          ['STATUS', ({ status }) => status],
          ['REASON', ({ status_reason }) => status_reason],
          ['OF', ({ payload_kind }) => payload_kind],
          ['NETWORK', ({ network_internal_code }) => network_internal_code],
          ['WALLET', ({ wallet_id }) => wallet_id],
          ['CREATED', ({ created_at }) => created_at],
        ],
        options,
      ),
  );
  requests
    .command('show <request>')
    .description('one of them, with what is signed and the signature')
    .action(async (signing_id: string) => session.record(await session.client.get(REQUEST, { path: { signing_id } })));
  withWriteOptions(requests.command('cancel <request>').description('before it is signed'))
    .option('--reason <text>', 'shown in the record and in the audit log')
    .action(async (signing_id: string, { reason, ...options }: WriteChoices & { reason?: string }) =>
      session.record(
        await session.client.post(`${REQUEST}/cancel`, {
          path: { signing_id },
          body: given({ reason }),
          ...writeOptionsOf(options),
        }),
      ),
    );
}
