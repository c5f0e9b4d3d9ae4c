// `countersign doctor`: looks at a deployment from where its callers are, and says what is wrong and what to do. It
// changes nothing, and ends with code 7 when something is wrong; what is only to be watched is no problem.
import type { Command } from 'commander';
import { ProblemError } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { visible } from '../visible-text.ts';
import { checkConnection, checkKey, checkReadiness } from './check-connection.ts';
import { checkStatus, checkWebhooks } from './check-service.ts';
import { type Finding, problem } from './findings.ts';

const MARKS = { ok: 'ok      ', watch: 'watch   ', problem: 'PROBLEM ', skipped: 'skipped ' } as const;

export function addDoctor(program: Command, session: Session): void {
  program
    .command('doctor')
    .description('checks a deployment and says what is wrong')
    .action(async () => {
      let problems = 0;
      for await (const finding of examine(session)) {
        if (finding.result === 'problem') problems += 1;
        if (session.json) await session.record(finding);
        else await session.text(linesOf(finding));
      }
      if (problems > 0)
        throw new ProblemError(problems === 1 ? 'There is one problem.' : `There are ${problems} problems.`);
    });
}

/** What stands on what failed is not asked. */
async function* examine(session: Session): AsyncGenerator<Finding> {
  const { baseUrl, name } = session.profile;
  yield { check: 'profile', result: 'ok', says: `${name}: ${baseUrl}` };
  const connection = await checkConnection(baseUrl, session.terminal.signal);
  yield* connection.findings;
  if (!connection.isReached) return;
  yield* await checkReadiness(baseUrl, session.terminal.signal);
  const { findings, key } = await checkKey(session.client);
  yield* findings;
  if (key === undefined) return;
  yield* await guarded('service', () => checkStatus(session.client, key.scopes));
  yield* await guarded('webhooks', () => checkWebhooks(session.client, key.scopes));
}

async function guarded(check: string, run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    return [problem(check, `It could not be looked at: ${(error as Error).message}`, 'See what the service logs.')];
  }
}

function linesOf({ check, result, says, advice }: Finding): string {
  const line = `${MARKS[result]} ${check.padEnd(14)} ${visible(says)}\n`;
  return advice === undefined ? line : `${line}${' '.repeat(24)}→ ${visible(advice)}\n`;
}
