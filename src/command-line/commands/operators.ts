// The commands of whoever runs the service. They are programs of their own, which read the environment of the service
// and lie beside this one: here they are only listed, and run with the arguments as they came.
import type { Command } from 'commander';
import { UsageError } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

export const operatorCommands: Readonly<Record<string, string>> = {
  migrate: 'brings the database to this version',
  workspace: 'workspaces, users and keys from outside, unfreezing, sealing; without arguments it says what it takes',
  'refresh-keys': 'replaces the shares of keys at the nodes',
  'repair-keys': 'gives a node that lost its shares new ones',
  'record-backup': 'tells of a backup that was made',
  'resume-network': 'has a network read again that was halted',
  'repair-nonces': 'fills nonces that hold up an address',
  'reconcile-balances': 'compares the ledger with the chains',
  outflows: 'what left wallets by no transaction of the service',
  'audit-findings': 'what contradicts the audit log',
  'verify-audit': 'verifies an exported audit log offline',
  'verify-approval': 'verifies offline what proves an approval',
};

export function addOperatorCommands(program: Command): void {
  for (const [name, what] of Object.entries(operatorCommands))
    program
      .command(name)
      .helpGroup('Commands of operators (they read the environment of the service):')
      .description(what)
      .argument('[arguments...]', 'as `npm run ' + name + '` takes them')
      .allowUnknownOption()
      .action(() => {
        throw new UsageError(`Give the command first: countersign ${name} …`);
      });
}

/** Undefined when it is no command of operators, or its help is wanted: some of them have none, and would begin. */
export function runOperatorCommand(
  terminal: Terminal,
  [name = '', ...args]: readonly string[],
): Promise<number> | undefined {
  if (!Object.hasOwn(operatorCommands, name)) return undefined;
  if (args.includes('--help') || args.includes('-h')) return undefined;
  return terminal.runBeside(name, args);
}
