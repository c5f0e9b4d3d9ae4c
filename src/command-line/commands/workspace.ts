// `countersign policy`, `freeze`, `unfreeze`, `sandbox` and `call`.
import { Argument, type Command } from 'commander';
import type { PolicyDocument, SimulatePolicy } from '../../client/client.ts';
import { UsageError } from '../exit-codes.ts';
import {
  given,
  queryOf,
  readJson,
  readWhole,
  type WriteChoices,
  withListOptions,
  withWriteOptions,
  writeOptionsOf,
} from '../options.ts';
import type { ListOptions, Session } from '../session.ts';

const WORKSPACE = '/api/v1/workspaces/{workspace_id}';

export function addPolicy(program: Command, session: Session): void {
  const policy = program.command('policy').description('which operations are allowed, refused or need approval');
  policy
    .command('show')
    .description('the policy in force, and the one that waits')
    .action(async () => session.record(await session.client.policy()));
  withListOptions(
    policy.command('history').description('every version, the newest first, and what it changed'),
    {},
  ).action((options: ListOptions & Record<string, unknown>) =>
    session.list(
      session.client.policyVersions(queryOf(options)),
      [
        ['VERSION', ({ version }) => version, 'right'],
        ['STATUS', ({ status }) => status],
        ['ASKED BY', ({ created_by }) => created_by],
        ['ASKED', ({ created_at }) => created_at],
        ['CHANGED', ({ differences = [] }) => differences.map(inShort).join(', ')],
      ],
      options,
    ),
  );
  withWriteOptions(
    policy.command('set <document>').description('in force at once, or after approvals: JSON, @FILE or -'),
  ).action(async (document: string, options: WriteChoices) => {
    const body = (await readJson(session.terminal, document)) as PolicyDocument;
    await session.record(await session.client.setPolicy(body, writeOptionsOf(options)));
  });
  policy
    .command('simulate <operation>')
    .description('what would be decided, and why: JSON, @FILE or -')
    .action(async (operation: string) => {
      const body = (await readJson(session.terminal, operation)) as SimulatePolicy;
      await session.record(await session.client.simulatePolicy(body));
    });
}

const inShort = ({ part, change, rule }: { part: string; change: string; rule?: string }) =>
  `${rule === undefined ? part : `rule ${JSON.stringify(rule)}`} ${change}`;

export function addFreezes(program: Command, session: Session): void {
  const switchOf = (name: 'freeze' | 'unfreeze', what: string) =>
    withWriteOptions(program.command(name).description(what))
      .option('--reason <text>', 'shown in the record and in the audit log')
      .action(async ({ reason, ...options }: WriteChoices & { reason?: string }) => {
        const input = { body: given({ reason }), ...writeOptionsOf(options) };
        await session.record(await session.client.post(`${WORKSPACE}/withdrawals/${name}`, input));
      });
  switchOf('freeze', 'nothing leaves any wallet of the workspace, at once');
  switchOf('unfreeze', 'ends it; what waits for approval then has a `kind`');
}

export function addSandbox(program: Command, session: Session): void {
  const sandbox = program.command('sandbox').description('the chains of `npm start`');
  withWriteOptions(sandbox.command('faucet <wallet>').description('pays a wallet'))
    .requiredOption('--asset <id>', 'the id of the asset')
    .requiredOption('--amount <amount>', 'as in 1.5')
    .action(
      async (wallet_id: string, { asset, amount, ...options }: WriteChoices & { asset: string; amount: string }) =>
        session.record(await session.client.faucet({ wallet_id, asset_id: asset, amount }, writeOptionsOf(options))),
    );
  withWriteOptions(sandbox.command('mine <network>').description('makes blocks (by the id of the network)'))
    .option('--blocks <count>', 'how many', readWhole, 1)
    .action(async (network_id: string, { blocks, ...options }: WriteChoices & { blocks: number }) =>
      session.record(await session.client.mine({ network_id, blocks }, writeOptionsOf(options))),
    );
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type AnyCall = (path: string, input: object) => Promise<unknown>;

/** Any route, for what has no command. The path is signed and sent as it is. */
export function addCall(program: Command, session: Session): void {
  withWriteOptions(program.command('call').description('any route of the API, signed'))
    .addArgument(new Argument('<method>', 'of the route').choices(methods))
    .argument('<path>', 'as in /api/v1/workspaces/{workspace_id}/wallets?limit=5; {workspace_id} is filled in')
    .option('--body <json>', 'JSON, @FILE or -')
    .action(async (method: (typeof methods)[number], path: string, choices: WriteChoices & { body?: string }) => {
      if (!/^\/[\x21-\x7e]*$/.test(path)) throw new UsageError('The path begins with / and is encoded.');
      const { body, ...options } = choices;
      const given = body === undefined ? {} : { body: await readJson(session.terminal, body) };
      const { client } = session;
      const calls: Record<(typeof methods)[number], AnyCall> = {
        GET: client.get.bind(client) as AnyCall,
        POST: client.post.bind(client) as AnyCall,
        PUT: client.put.bind(client) as AnyCall,
        PATCH: client.patch.bind(client) as AnyCall,
        DELETE: client.delete.bind(client) as AnyCall,
      };
      await session.record(await calls[method](path, { ...given, ...writeOptionsOf(options) }));
    });
}
