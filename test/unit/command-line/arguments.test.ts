// Goal: every command says what it takes, what does not fit is told in a sentence and asks nobody, and shells complete
// what there is. Method: the help of every command is compared with a file that stands beside this one (`npx vitest -u`
// writes it anew); completion is run in the shells that are here.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { operatorCommands } from '../../../src/command-line/commands/operators.ts';
import { buildProgram } from '../../../src/command-line/program.ts';
import { runCommand } from '../../support/processes/scripted-terminal.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Where nothing listens: whoever asked would end with 6. */
const nobodyIsAsked = {
  COUNTERSIGN_URL: 'http://127.0.0.1:9',
  COUNTERSIGN_API_KEY: 'key',
  COUNTERSIGN_API_SECRET: 'secret',
};

/** Each by the words that lead to it. */
function everyCommand(command: Command, words: string[] = []): string[][] {
  return [words, ...command.commands.flatMap((each) => everyCommand(each, [...words, each.name()]))];
}
const commands = everyCommand(buildProgram({} as never)).filter((words) => words[0] !== 'help');

test('the help of every command is what it was when it was last looked at', async () => {
  const helps: string[] = [];
  for (const words of commands) {
    const { code, output } = await runCommand([...words, '--help']);
    expect([words, code]).toEqual([words, 0]);
    helps.push(`$ countersign ${[...words, '--help'].join(' ')}\n${output}`);
  }
  await expect(helps.join('\n')).toMatchFileSnapshot('help.txt');
});

test('every option and command says what it is for', () => {
  const silent = commands.flatMap((words) => {
    const command = words.reduce<Command>(
      (found, word) => found.commands.find((each) => each.name() === word) ?? found,
      buildProgram({} as never),
    );
    const options = command.options.filter(({ description }) => !description).map(({ flags }) => flags);
    return [...(command.description() ? [] : ['itself']), ...options].map((what) => `${words.join(' ')}: ${what}`);
  });
  expect(silent).toEqual([]);
});

test.each([
  [['wallets', 'lst'], "unknown command 'lst'"],
  [['wallets', 'list', '--lmit', '3'], "unknown option '--lmit'"],
  [['wallets', 'list', '--limit', '0'], 'It must be a whole number from 1.'],
  [['wallets', 'show'], "missing required argument 'wallet'"],
  [['wallets', 'show', 'a', 'b'], 'too many arguments'],
  [['wallets', 'create'], "required option '--name <name>'"],
  [['wallets', 'create', '--name', 'x', '--wait', '1.5'], 'whole number'],
  [['sign', 'message', '--network', 'N', '--wait', 'w', 'Hello'], 'where it is left out --wait comes last'],
  [['approve', 'everything', 'x'], 'Allowed choices are'],
  [['approve', 'withdrawal'], 'Give the id of the withdrawal.'],
  [['approve', 'policy', 'x'], 'give no id'],
  [['export', 'transactions', '--format', 'jsonl'], 'exported as csv'],
  [['keys', 'create', '--name', 'x', '--scopes', 'a', '--expires', 'soon'], 'It must be a moment'],
  [['call', 'GET', 'https://elsewhere.example/'], 'The path begins with /'],
  [['--json', 'migrate'], 'Give the command first: countersign migrate'],
  [['sign', 'message', 'w', '@/nonexistent/file', '--network', 'N'], 'cannot be read (ENOENT)'],
  [['policy', 'set', '{'], 'no JSON'],
])('%j is told what is wrong, and ends with 2', async (args, why) => {
  const { code, output, errors } = await runCommand(args, { env: nobodyIsAsked });
  expect([code, output]).toEqual([2, '']);
  expect(errors).toContain(why);
});

test('the commands of operators are those that are built, and run with what they are given', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const built = Object.values(scripts).flatMap(
    (script: string) => /^node dist\/(?!server|worker)([\w-]+)\.js$/.exec(script)?.[1] ?? [],
  );
  expect(Object.keys(operatorCommands).toSorted()).toEqual(built.toSorted());
  const ran: unknown[] = [];
  const runBeside = async (name: string, args: readonly string[]) => ran.push([name, args]) + 40;
  const { code } = await runCommand(['workspace', 'create', '--name', 'x', '--json'], { runBeside });
  expect([code, ran]).toEqual([41, [['workspace', ['create', '--name', 'x', '--json']]]]);
});

test('asked for its help, no command of operators begins to run', async () => {
  for (const name of Object.keys(operatorCommands))
    expect(await runCommand([name, '--help'])).toMatchObject({ code: 0, output: expect.stringContaining(name) });
});

test.each([
  [['wall'], ['wallets']],
  [['wallets', 'fr'], ['freeze']],
  [['approve', 'w'], ['withdrawal']],
  [['wallets', 'list', '--st'], ['--status']],
  [['wallets', 'list', '--js'], ['--json']],
  [
    ['--profile', 'local'],
    ['local', 'local-approver'],
  ],
  [['wallets', 'list', '--status', ''], []],
])('%j is completed', async (words, expected) => {
  const { output } = await runCommand(['complete', ...words]);
  const found = output.split('\n').filter((line) => line !== '');
  expect(found.map((line) => line.split('\t')[0])).toEqual(expected);
});

const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
const asks = {
  bash: 'COMP_WORDS=(countersign wallets fre); COMP_CWORD=2; _countersign; echo "${COMPREPLY[@]}"',
  zsh: 'words=(countersign wallets fre); CURRENT=3; compadd() { shift; echo "${(P)2:-${found[@]}}" }; _countersign',
  fish: 'complete -C "countersign wallets fre" | cut -f 1',
};

test.each(Object.entries(asks).filter(([shell]) => isThere(shell)))('%s completes', async (shell, ask) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-completion-'));
  try {
    const { output: script } = await runCommand(['completion', shell]);
    const main = join(root, 'src/command-line/main.ts');
    writeFileSync(join(folder, 'countersign'), `#!/bin/sh\nexec ${process.execPath} --import tsx ${main} "$@"\n`);
    chmodSync(join(folder, 'countersign'), 0o755);
    const before = shell === 'zsh' ? 'compdef() { : }\n' : '';
    const found = execFileSync(shell, ['-c', `${before}${script}${ask}`], {
      cwd: root,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
      encoding: 'utf8',
    });
    expect(found.trim()).toBe('freeze');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
