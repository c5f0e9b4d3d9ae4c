// `countersign users`, `changes` and `keys`. The secret of a key is shown where the service shows it: once, to who made
// it or takes it.
import type { Command } from 'commander';
import type { NewApiKey, UserChange } from '../../client/client.ts';
import {
  given,
  queryOf,
  readList,
  readMoment,
  readSeconds,
  type WriteChoices,
  withListOptions,
  withWriteOptions,
  writeOptionsOf,
} from '../options.ts';
import type { ListOptions, Session } from '../session.ts';

type Listed = ListOptions & Record<string, unknown>;

const KEY = '/api/v1/api-keys/{api_key_id}';

export function addUsers(program: Command, session: Session): void {
  const users = program.command('users').description('who acts in the workspace');
  withListOptions(users.command('list').description('disabled ones too')).action((options: Listed) =>
    session.list(
      session.client.users(queryOf(options)),
      [
        ['USER', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['STATUS', ({ status }) => status],
        ['EMAIL', ({ email }) => email],
      ],
      options,
    ),
  );
  withWriteOptions(users.command('create').description('a user, or a change that waits for approval'))
    .requiredOption('--name <name>', 'what people call them')
    .option('--email <address>', 'how they are reached')
    .action(async ({ name, email, ...options }: WriteChoices & { name: string; email?: string }) =>
      session.record(await session.client.createUser({ name, ...given({ email }) }, writeOptionsOf(options))),
    );
  const change = (name: string, what: string, of: (choices: { name?: string }) => UserChange) =>
    withWriteOptions(users.command(`${name} <user>`).description(what)).action(
      async (id: string, options: WriteChoices & { name?: string }) =>
        session.record(await session.client.changeUser(id, of(options), writeOptionsOf(options))),
    );
  change('disable', 'nothing of theirs counts any more, at once', () => ({ status: 'disabled' }));
  change('enable', 'waits for approval as somebody new does', () => ({ status: 'active' }));
  change('rename', 'another name', ({ name = '' }) => ({ name })).requiredOption('--name <name>', 'the new one');
}

export function addChanges(program: Command, session: Session): void {
  const changes = program.command('changes').description('changes of users, keys and freezes that wait for approval');
  withListOptions(changes.command('list').description('the newest first'), { status: 'status' }).action(
    (options: Listed) =>
      session.list(
        session.client.changes(queryOf(options, { status: 'status' })),
        [
          ['CHANGE', ({ id }) => id],
          ['KIND', ({ kind }) => kind],
          ['STATUS', ({ status }) => status],
          ['NAME', ({ details }) => details.name],
          ['ASKED BY', ({ created_by }) => created_by],
          ['CREATED', ({ created_at }) => created_at],
        ],
        options,
      ),
  );
  changes
    .command('show <change>')
    .description('one of them, with the digest of its approval')
    .action(async (id: string) => session.record(await session.client.change(id)));
}

interface KeyChoices extends WriteChoices {
  name: string;
  user?: string;
  scopes: string[];
  wallets?: string[];
  addresses?: string[];
  expires?: string;
}

export function addKeys(program: Command, session: Session): void {
  const keys = program.command('keys').description('API keys');
  withListOptions(keys.command('list').description('the newest first; no secret')).action((options: Listed) =>
    session.list(
      session.client.list('/api/v1/workspaces/{workspace_id}/api-keys', { query: queryOf(options) }),
      [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['USER', ({ user_id }) => user_id],
        [
          'STATE',
          ({ revoked_at, awaiting_secret }) => (revoked_at ? 'revoked' : awaiting_secret ? 'awaits secret' : 'usable'),
        ],
        ['EXPIRES', ({ expires_at }) => expires_at],
        ['LAST USED', ({ last_used_at }) => last_used_at],
        ['SCOPES', ({ scopes }) => scopes.join(' ')],
      ],
      options,
    ),
  );
  keys
    .command('self')
    .description('the key of the profile, and what it may do')
    .action(async () => session.record(await session.client.get('/api/v1/api-keys/self')));
  withWriteOptions(keys.command('create').description('a key with its secret, or a change that waits for approval'))
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--scopes <scopes>', 'with commas between them, as in wallets:read,balances:read', readList)
    .option('--user <user>', 'whose it is; your own unless you say otherwise')
    .option('--wallets <ids>', 'it sees no other wallets', readList)
    .option('--addresses <addresses>', 'it is used from no other IP addresses', readList)
    .option('--expires <moment>', 'as in 2026-12-31T00:00:00Z', readMoment)
    .action(async ({ name, user, scopes, wallets, addresses, expires, ...options }: KeyChoices) => {
      const bound = given({ user_id: user, wallet_ids: wallets, ip_allowlist: addresses, expires_at: expires });
      const body = { name, scopes: scopes as NewApiKey['scopes'], ...bound };
      await showSecret(session, await session.client.createApiKey(body, writeOptionsOf(options)));
    });
  const overlap = (name: string, what: string) =>
    withWriteOptions(keys.command(`${name} <key>`).description(what)).option(
      '--overlap <seconds>',
      'how long the former secret still counts',
      readSeconds,
    );
  overlap('rotate', 'a new secret').action(async (id: string, choices: WriteChoices & { overlap?: number }) => {
    const body = given({ overlap_seconds: choices.overlap });
    const input = { path: { api_key_id: id }, body, ...writeOptionsOf(choices) };
    await showSecret(session, await session.client.post(`${KEY}/rotate`, input));
  });
  overlap('take-secret', 'the secret of a key of yours that somebody else made or rotated').action(
    async (id: string, { overlap: overlapSeconds, ...options }: WriteChoices & { overlap?: number }) =>
      showSecret(
        session,
        await session.client.takeSecret(id, { ...given({ overlapSeconds }), ...writeOptionsOf(options) }),
      ),
  );
  withWriteOptions(keys.command('revoke <key>').description('it authenticates nobody any more, at once')).action(
    async (id: string, options: WriteChoices) =>
      session.record(await session.client.delete(KEY, { path: { api_key_id: id }, ...writeOptionsOf(options) })),
  );
}

export async function showSecret(session: Session, shown: object): Promise<void> {
  await session.record(shown);
  if ('api_secret' in shown || 'secret' in shown) session.note('Keep the secret now: it is not shown again.');
}
