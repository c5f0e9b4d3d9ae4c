// Completion for bash, zsh and fish: the shells ask this program what may come next, so that they never know less than
// it. Asks no service and reads no secret.
import { Argument, type Command, type Option } from 'commander';
import { profilesFile, readProfiles } from '../profiles/profiles.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

const scripts = {
  bash: `# In ~/.bashrc: eval "$(countersign completion bash)"
_countersign() {
  local IFS=$'\\n'
  COMPREPLY=($(countersign complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _countersign countersign
`,
  zsh: `#compdef countersign
# In ~/.zshrc, after compinit: eval "$(countersign completion zsh)"
_countersign() {
  local -a found
  found=("\${(@f)$(countersign complete "\${(@)words[2,CURRENT]}" 2>/dev/null | cut -f 1)}")
  if (( \${#found[1]} )); then compadd -a found; else _files; fi
}
compdef _countersign countersign
`,
  fish: `# In ~/.config/fish/config.fish: countersign completion fish | source
complete -c countersign -f -a '(countersign complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
} as const;

export function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .description('the script that completes commands in a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => session.text(scripts[shell]));
}

/** What may stand in the place of the last of these words, each with what it is for after a tab. */
export function complete(program: Command, terminal: Terminal, words: readonly string[]): string[] {
  const begun = words.at(-1) ?? '';
  const { command, last } = walk(program, words.slice(0, -1));
  const options = [...visibleOptions(command), ...(command === program ? [] : visibleOptions(program))];
  const expected = options.find(({ long, required }) => required && long !== undefined && long === last);
  const candidates =
    expected?.long === '--profile'
      ? profileNames(terminal).map((name) => [name, 'profile'] as const)
      : expected !== undefined
        ? []
        : begun.startsWith('-')
          ? options.map(({ long, short, description }) => [long ?? short ?? '', description] as const)
          : [
              ...visibleCommands(command).map((each) => [each.name(), each.description()] as const),
              ...(command.registeredArguments[0]?.argChoices ?? []).map((choice) => [choice, ''] as const),
            ];
  return candidates.filter(([name]) => name.startsWith(begun)).map(([name, what]) => `${name}\t${what}`);
}

/** The command that the words lead to, and the last of them. */
function walk(program: Command, words: readonly string[]): { command: Command; last: string | undefined } {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command;
  return { command, last: words.at(-1) };
}

const visibleCommands = (command: Command) => command.createHelp().visibleCommands(command);
const visibleOptions = (command: Command): Option[] => command.createHelp().visibleOptions(command);

function profileNames(terminal: Terminal): string[] {
  try {
    return [...Object.keys(readProfiles(profilesFile(terminal)).profiles), 'local', 'local-approver'];
  } catch {
    return ['local', 'local-approver'];
  }
}
