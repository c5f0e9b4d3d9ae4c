// The program as a whole: its commands, and one run of it with its exit code. Touches the world by the terminal alone.
import { Command, CommanderError } from 'commander';
import { addCompletion, complete } from './commands/completion.ts';
import { addExports } from './commands/exports.ts';
import { addAudit, addEvents, addExport } from './commands/happened.ts';
import { addAddressBook, addBalances, addCatalog, addTransactions } from './commands/money.ts';
import { addOperatorCommands, runOperatorCommand } from './commands/operators.ts';
import { addProfiles } from './commands/profiles.ts';
import { addSign, addSigningRequests } from './commands/signing.ts';
import { addChanges, addKeys, addUsers } from './commands/users.ts';
import { addVotes } from './commands/votes.ts';
import { addAddresses, addWallets } from './commands/wallets.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addWithdraw, addWithdrawals } from './commands/withdrawals.ts';
import { addCall, addFreezes, addPolicy, addSandbox } from './commands/workspace.ts';
import { addDoctor } from './doctor/doctor.ts';
import { describeEnd, exitCodes, UsageError } from './exit-codes.ts';
import { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Every user of a machine can list the arguments of its processes. */
const SECRET_OPTION = /^--?[\w-]*(secret|password)[\w-]*(=|$)/i;
const HELP_WIDTH = 100;

const groups: readonly (readonly [title: string, ...add: ((program: Command, session: Session) => void)[]])[] = [
  ['Wallets and signatures:', addWallets, addAddresses, addSign, addSigningRequests],
  ['Money:', addWithdraw, addWithdrawals, addTransactions, addBalances, addCatalog],
  ['Who decides:', addVotes, addPolicy, addAddressBook, addFreezes, addUsers, addChanges, addKeys],
  ['What happened:', addEvents, addWebhooks, addAudit, addExport, addExports],
  ['Setting up and looking after:', addProfiles, addDoctor, addCall, addSandbox, addCompletion],
];

export function buildProgram(terminal: Terminal): Command {
  const program = new Command('countersign')
    .description('Wallets and signatures of Countersign, from the command line.')
    .option('--profile <name>', 'which service and key; `local` is what `npm start` has made')
    .option('--json', 'one JSON record a line, for scripts')
    .helpOption('-h, --help', 'what a command takes')
    .helpCommand('help [command]', 'what a command takes')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({
      writeOut: (text) => void terminal.write(text),
      writeErr: (text) => terminal.writeError(text),
    });
  const session = new Session(terminal, () => program.opts());
  for (const [title, ...additions] of groups) {
    program.commandsGroup(title);
    for (const add of additions) add(program, session);
  }
  addOperatorCommands(program);
  return program;
}

const EXIT_CODES = `
Exit codes: 0 done; 1 unforeseen; 2 the call is not right; 3 refused; 4 the operation failed; 5 not final in time;
6 no answer, or come again; 7 a check found a problem; 130 interrupted.`;

/** Resolves with the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    refuseSecrets(args);
    const operated = runOperatorCommand(terminal, args);
    if (operated !== undefined) return await operated;
    const program = buildProgram(terminal);
    if (args[0] === 'complete') {
      const found = complete(program, terminal, args.slice(1));
      await terminal.write(found.map((line) => `${line}\n`).join(''));
    } else await program.parseAsync(args, { from: 'user' });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    const { code, sentence } = describeEnd(error, terminal.signal.aborted);
    terminal.writeError(`${sentence}\n`);
    return code;
  }
}

function refuseSecrets(args: readonly string[]): void {
  if (args.some((arg) => SECRET_OPTION.test(arg)))
    throw new UsageError(
      'No secret is taken as an argument, because others on this machine see it: use a profile, the environment or standard input. Rotate the one that was typed.',
    );
}
