// `countersign events`, `audit` and `export`: what happened.
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { EventsQuery, WorkspaceEvent } from '../../client/client.ts';
import { ProblemError, UsageError } from '../exit-codes.ts';
import { given, queryOf, readList, readMoment, readWhole, withListOptions } from '../options.ts';
import type { ListOptions, Session } from '../session.ts';
import { visible, visibleJson, visibleLines } from '../visible-text.ts';
import { keepWhole } from '../whole-file.ts';

const WORKSPACE = '/api/v1/workspaces/{workspace_id}';
const auditFilters = {
  actor: 'actor_id',
  action: 'action',
  outcome: 'outcome',
  resource: 'resource_id',
  wallet: 'wallet_id',
  from: 'from',
  to: 'to',
};

interface EventChoices {
  after?: number;
  type?: string[];
  follow?: boolean;
}

export function addEvents(program: Command, session: Session): void {
  program
    .command('events')
    .description('the feed of events, from the oldest that is kept')
    .option('--after <seq>', 'those after this place', readWhole)
    .option('--type <types>', 'with commas between them, as in deposit.confirmed', readList)
    .option('--follow', 'and those that come, until Ctrl-C')
    .action(async ({ after, type, follow = false }: EventChoices) => {
      const { client, terminal } = session;
      const asked = { ...given({ after_seq: after, type: type as EventsQuery['type'] }), signal: terminal.signal };
      for await (const event of follow ? client.followEvents(asked) : client.events(asked))
        await session.text(session.json ? `${visibleJson(event)}\n` : lineOf(event));
    });
}

function lineOf({ seq, timestamp, type, data }: WorkspaceEvent): string {
  const said = data as Record<string, unknown>;
  const parts = ['id', 'status', 'amount', 'error_code'].map((name) => said[name]).filter((part) => part !== undefined);
  return (
    visible(`${String(seq).padStart(8)}  ${timestamp}  ${type.padEnd(28)}  ${parts.map(String).join('  ')}`) + '\n'
  );
}

export function addAudit(program: Command, session: Session): void {
  const audit = program.command('audit').description('the audit log');
  withListOptions(audit.command('list').description('the newest first'), auditFilters).action(
    (options: ListOptions & Record<string, unknown>) =>
      session.list(
        session.client.list(`${WORKSPACE}/audit-logs`, { query: queryOf(options, auditFilters) }),
        [
          ['SEQ', ({ seq }) => seq, 'right'],
          ['AT', ({ created_at }) => created_at],
          ['ACTION', ({ action }) => action],
          ['OUTCOME', ({ outcome, code }) => (outcome === 'accepted' ? outcome : `${outcome} ${code ?? ''}`)],
          ['BY', ({ actor, actor_id }) => actor_id ?? actor],
          ['OF', ({ resource_id }) => resource_id],
        ],
        options,
      ),
  );
  audit
    .command('verify')
    .description('have the service check its chain; `countersign verify-audit` checks an export without it')
    .action(async () => {
      const verdict = await session.client.get(`${WORKSPACE}/audit-logs/verify`);
      await session.record(verdict);
      if (!verdict.valid) throw new ProblemError('The audit log is NOT as it was written.');
    });
  audit
    .command('head')
    .description('the signed head of the chain: keep it where the operator of the service cannot change it')
    .action(async () => session.record(await session.client.get(`${WORKSPACE}/audit-logs/head`)));
}

interface ExportChoices {
  output?: string;
  format?: 'csv' | 'jsonl';
  from?: string;
  to?: string;
  columns?: 'all';
}

export function addExport(program: Command, session: Session): void {
  program
    .command('export')
    .description('everything of a kind as one file, as of one moment')
    .addArgument(new Argument('<what>', 'what is exported').choices(['transactions', 'audit']))
    .option('--output <file>', 'instead of standard output; there whole or not at all')
    .option('--format <format>', 'of the audit log: csv or jsonl')
    .option('--from <moment>', 'as in 2026-01-01T00:00:00Z', readMoment)
    .option('--to <moment>', 'as in 2026-02-01T00:00:00Z', readMoment)
    .option('--columns <columns>', 'of transactions: `all` adds what it takes to reconcile')
    .action(async (what: 'transactions' | 'audit', { output, format, columns, ...time }: ExportChoices) => {
      const { client, terminal } = session;
      if (what === 'transactions' && format !== undefined && format !== 'csv')
        throw new UsageError('Transactions are exported as csv.');
      if (what === 'audit' && columns !== undefined) throw new UsageError('--columns is for transactions.');
      const asked = { ...given(time), signal: terminal.signal };
      const pieces =
        what === 'audit'
          ? client.exportAuditLogs({ ...asked, format: format ?? 'jsonl' })
          : client.exportTransactions({ ...asked, ...given({ columns }) });
      if (output !== undefined) return keepWhole(pieces, resolve(terminal.folder, output));
      for await (const piece of pieces) await session.text(terminal.isOutputSeen ? visibleLines(piece) : piece);
    });
}
