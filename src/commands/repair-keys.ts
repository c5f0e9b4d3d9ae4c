// The operator's commands for a node that lost shares. `npm run repair-keys -- list --node 3 [--cluster NAME] >
// keys.json` says of which keys; where the enrolment key is, `mpc-node sign-enrolment` makes commands of that list;
// `npm run repair-keys -- run --commands FILE` has a worker carry them to the nodes. Reads TEMPORAL_ADDRESS; asks
// neither the database nor a node itself.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { clusterName, mainCluster } from '../../domain/clusters.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { findLostShares, LostShare, NodePlace, RepairCommand, repairKeys } from '../../workflows/repair-keys.ts';
import { ConfigError } from '../process/config.ts';
import { runWorkflowCommand, type WorkflowRunner } from './workflow-command.ts';

const USAGE = 'Say `list --node N [--cluster NAME]`, or `run --commands FILE`.';
/** What one workflow is given: some 150 kB. */
const COMMANDS_A_RUN = 200;

async function main(runner: WorkflowRunner): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      node: { type: 'string' },
      cluster: { type: 'string', default: mainCluster },
      commands: { type: 'string' },
    },
  });
  const [what] = positionals;
  const { cluster } = values;
  if (what === 'list' && /^[1-9]\d{0,2}$/.test(values.node ?? '') && clusterName.test(cluster))
    await list(runner, { cluster, node: Number(values.node) });
  else if (what === 'run' && values.commands !== undefined) await run(runner, values.commands);
  else throw new ConfigError(USAGE);
}

/** The list on standard output, what it is of on standard error. */
async function list({ client, taskQueue }: WorkflowRunner, place: NodePlace): Promise<void> {
  const named = `node ${place.node} of cluster ${place.cluster}`;
  const lost: LostShare[] = [];
  let looked = 0;
  let after: Awaited<ReturnType<typeof findLostShares>>['next'];
  do {
    const page = await client.workflow.execute<typeof findLostShares>('findLostShares', {
      workflowId: workflowIdOf('findLostShares', uuidv7()),
      taskQueue,
      args: [after === undefined ? place : { ...place, after }],
      staticSummary: `Find the keys of which ${named} has no share`,
    });
    lost.push(...page.lost);
    looked += page.looked;
    after = page.next;
  } while (after !== undefined);
  console.error(`Of ${looked} keys, ${named} has no share of ${lost.length}.`);
  console.log(JSON.stringify(lost, null, 1));
}

async function run({ client, taskQueue }: WorkflowRunner, file: string): Promise<void> {
  const commands = readCommands(file);
  let repaired = 0;
  for (let from = 0; from < commands.length; from += COMMANDS_A_RUN) {
    const result = await client.workflow.execute<typeof repairKeys>('repairKeys', {
      workflowId: workflowIdOf('repairKeys', uuidv7()),
      taskQueue,
      args: [
        {
          commands: commands
            .slice(from, from + COMMANDS_A_RUN)
            .map(({ command, signature }) => ({ command, signature })),
        },
      ],
      staticSummary: 'Make lost shares again',
    });
    repaired += result.repaired;
    for (const { position, errorReason } of result.refused) {
      console.log(
        `REFUSED  ${commands[from + position]?.curve} key of wallet ${commands[from + position]?.wallet_id}: ${errorReason}`,
      );
      process.exitCode = 1;
    }
  }
  console.log(`${repaired} of ${commands.length} shares are there again. They sign after \`npm run refresh-keys\`.`);
}

type ListedCommand = RepairCommand & Pick<LostShare, 'wallet_id' | 'curve'>;

function readCommands(file: string): ListedCommand[] {
  const isHex = (value: unknown) => typeof value === 'string' && /^([0-9a-f]{2})+$/.test(value);
  try {
    const { commands } = JSON.parse(readFileSync(file, 'utf8')) as { commands: ListedCommand[] };
    if (commands.every(({ command, signature }) => isHex(command) && isHex(signature))) return commands;
  } catch {
    // Said below.
  }
  throw new ConfigError(`${file} is not what \`mpc-node sign-enrolment\` prints.`);
}

runWorkflowCommand('The repair', main);
