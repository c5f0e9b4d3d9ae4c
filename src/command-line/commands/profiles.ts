// `countersign profiles`: keeps addresses and keys in a file that its owner alone can read. Shows no secret.
import type { Command } from 'commander';
import { UsageError } from '../exit-codes.ts';
import { writePrivateFile } from '../profiles/private-file.ts';
import { profilesFile, readProfiles, type StoredProfile, type StoredProfiles } from '../profiles/profiles.ts';
import { checkBaseUrl } from '../profiles/service-address.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

interface AddChoices {
  url: string;
  key?: string;
  allowHttp?: boolean;
}

export function addProfiles(program: Command, session: Session): void {
  const profiles = program.command('profiles').description('addresses of services, each with a key');
  profiles
    .command('list')
    .description('those that are kept; no secret')
    .action(async () => {
      const stored = readProfiles(profilesFile(session.terminal));
      await session.list(
        Object.entries(stored.profiles).map(([name, { base_url, api_key }]) => ({
          name,
          base_url,
          api_key,
          is_default: name === stored.default,
        })),
        [
          ['PROFILE', ({ name, is_default }) => (is_default ? `${name} (default)` : name)],
          ['SERVICE', ({ base_url }) => base_url],
          ['KEY', ({ api_key }) => api_key],
        ],
      );
    });
  profiles
    .command('add <name>')
    .description('asks for the secret, or takes it from standard input; the first one becomes the default')
    .requiredOption('--url <url>', 'the address of the service, as in https://countersign.example')
    .option('--key <key>', 'the API key; without it standard input has `api_key` and `api_secret` as JSON')
    .option('--allow-http', 'speak without TLS to another machine')
    .action(async (name: string, { url, key, allowHttp = false }: AddChoices) => {
      if (!NAME.test(name)) throw new UsageError('The name of a profile is lower case, as in `production`.');
      const base_url = checkBaseUrl(url, { allowHttp });
      const credentials = await askForCredentials(session.terminal, key);
      const profile = { base_url, ...credentials, ...(allowHttp ? { allow_http: true } : {}) };
      change(session, (stored) => ({
        default: stored.default ?? name,
        profiles: { ...stored.profiles, [name]: profile },
      }));
      session.note(`The profile ${name} stands in ${profilesFile(session.terminal)}.`);
    });
  profiles
    .command('use <name>')
    .description('the one that is used when none is named')
    .action((name: string) => change(session, (stored) => ({ ...stored, default: known(stored, name) })));
  profiles
    .command('remove <name>')
    .description('forgets it; the key itself is revoked by `countersign keys revoke`')
    .action((name: string) =>
      change(session, (stored) => {
        const { [known(stored, name)]: _removed, ...others } = stored.profiles;
        return { ...(stored.default === name ? {} : { default: stored.default }), profiles: others };
      }),
    );
}

function change({ terminal }: Session, changed: (stored: StoredProfiles) => StoredProfiles): void {
  const path = profilesFile(terminal);
  writePrivateFile(path, `${JSON.stringify(changed(readProfiles(path)), null, 2)}\n`);
}

function known({ profiles }: StoredProfiles, name: string): string {
  if (!Object.hasOwn(profiles, name))
    throw new UsageError('There is no such profile: `countersign profiles list` shows them.');
  return name;
}

async function askForCredentials(
  terminal: Terminal,
  key: string | undefined,
): Promise<Pick<StoredProfile, 'api_key' | 'api_secret'>> {
  if (terminal.isInputTyped) {
    const api_key = key ?? (await terminal.ask('API key: '));
    return checked({ api_key, api_secret: await terminal.ask('API secret (not shown): ', { isSecret: true }) });
  }
  const input = (await terminal.readInput()).trim();
  return checked(key === undefined ? readCredentials(input) : { api_key: key, api_secret: input });
}

/** As `countersign workspace create --json` prints them. */
function readCredentials(text: string): Partial<StoredProfile> {
  try {
    return JSON.parse(text) as Partial<StoredProfile>;
  } catch {
    throw new UsageError('Standard input has no JSON with `api_key` and `api_secret`: give --key, or that.');
  }
}

function checked({ api_key, api_secret }: Partial<StoredProfile>): Pick<StoredProfile, 'api_key' | 'api_secret'> {
  if (typeof api_key !== 'string' || typeof api_secret !== 'string' || api_key === '' || api_secret === '')
    throw new UsageError('A profile needs an API key and its secret.');
  if (/\s/.test(api_secret)) throw new UsageError('The secret has a space or a line end in it.');
  return { api_key, api_secret };
}
