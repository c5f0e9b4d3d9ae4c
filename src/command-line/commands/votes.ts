// `countersign approve` and `countersign reject`. An approval is of the digest of what was looked at: a person is shown
// it and asked, and a script names the digest of what it has judged. Nothing is approved unseen.
import { Argument, type Command } from 'commander';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { given, type WriteChoices, withWriteOptions, writeOptionsOf } from '../options.ts';
import type { Session } from '../session.ts';
import { fields } from '../tables.ts';

const WORKSPACE = '/api/v1/workspaces/{workspace_id}';
const kinds = ['withdrawal', 'signing-request', 'change', 'address', 'policy'] as const;
type Kind = (typeof kinds)[number];

/** What waits, and the digest that an approval is of. */
interface Waiting {
  record: unknown;
  digest: string | undefined;
}

type VoteChoices = WriteChoices & { digest?: string };

export function addVotes(program: Command, session: Session): void {
  const vote = (name: string, what: string) =>
    withWriteOptions(program.command(name).description(what))
      .addArgument(new Argument('<kind>', 'what is meant').choices(kinds))
      .argument('[id]', 'its id; the policy that waits has none');
  vote('approve', 'approve what waits, after looking at it')
    .option('--digest <digest>', 'of what was looked at before: then nobody is asked')
    .action((kind: Kind, id: string | undefined, choices: VoteChoices) => approve(session, kind, id, choices));
  vote('reject', 'reject what waits')
    .option('--reason <text>', 'shown in the record and in the audit log')
    .option('--digest <digest>', 'of what was looked at; the policy needs it')
    .action(
      async (kind: Kind, id: string | undefined, { reason, digest, ...options }: VoteChoices & { reason?: string }) => {
        checkId(kind, id);
        const body = given({ reason, digest });
        await session.record(await send(session, { kind, id, verb: 'reject' }, { body, ...writeOptionsOf(options) }));
      },
    );
}

async function approve(session: Session, kind: Kind, id: string | undefined, choices: VoteChoices): Promise<void> {
  checkId(kind, id);
  const digest = choices.digest ?? (await showForDecision(session, kind, id));
  await session.record(
    await send(session, { kind, id, verb: 'approve' }, { body: { digest }, ...writeOptionsOf(choices) }),
  );
}

function checkId(kind: Kind, id: string | undefined): void {
  if (kind !== 'policy' && id === undefined) throw new UsageError(`Give the id of the ${kind}.`);
  if (kind === 'policy' && id !== undefined) throw new UsageError('One policy waits at most: give no id.');
}

async function showForDecision(session: Session, kind: Kind, id: string | undefined): Promise<string> {
  const { record, digest } = await readWaiting(session, kind, id ?? '');
  if (digest === undefined) throw new UsageError(`No approval of the ${kind} is asked for.`);
  const { terminal } = session;
  if (!terminal.isInputTyped)
    throw new UsageError('Nobody can be asked here: look at it, and give its `approval.digest` as --digest.');
  terminal.writeError(fields(record));
  const answer = await terminal.ask('Type yes to approve exactly this: ');
  if (answer !== 'yes') throw new UsageError(`Nothing was approved (exit code ${exitCodes.usage}).`);
  return digest;
}

async function readWaiting({ client }: Session, kind: Kind, id: string): Promise<Waiting> {
  switch (kind) {
    case 'withdrawal':
      return waitingOf(await client.withdrawal(id));
    case 'signing-request':
      return waitingOf(await client.get('/api/v1/signing-requests/{signing_id}', { path: { signing_id: id } }));
    case 'change':
      return waitingOf(await client.change(id));
    case 'address':
      for await (const entry of client.addressBook()) if (entry.id === id) return waitingOf(entry);
      throw new UsageError('The address book has no such entry.');
    case 'policy':
      return waitingOf((await client.policy()).pending ?? {});
  }
}

const waitingOf = (record: { approval?: { digest: string } | null }): Waiting => ({
  record,
  digest: record.approval?.digest,
});

interface Vote {
  kind: Kind;
  id: string | undefined;
  verb: 'approve' | 'reject';
}

function send({ client }: Session, { kind, id = '', verb }: Vote, input: { body: object }): Promise<unknown> {
  switch (kind) {
    case 'withdrawal':
      return client.post(`/api/v1/withdrawals/{withdrawal_id}/${verb}`, { path: { withdrawal_id: id }, ...input });
    case 'signing-request':
      return client.post(`/api/v1/signing-requests/{signing_id}/${verb}`, { path: { signing_id: id }, ...input });
    case 'change':
      return client.post(`/api/v1/changes/{change_id}/${verb}`, { path: { change_id: id }, ...input });
    case 'address':
      return client.post(`${WORKSPACE}/address-book/{address_book_id}/${verb}`, {
        path: { address_book_id: id },
        ...input,
      });
    case 'policy':
      return client.post(`${WORKSPACE}/policy/${verb}`, input as { body: { digest: string } });
  }
}
