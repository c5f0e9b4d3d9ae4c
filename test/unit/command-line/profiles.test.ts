// Goal: a profile is of its owner alone, comes from where the guide says, and no secret is taken or shown where others
// see it. Method: commands are run over files of every kind; a canary stands for the secret, and no output has it.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readProfile } from '../../../src/command-line/profiles/profiles.ts';
import { checkBaseUrl } from '../../../src/command-line/profiles/service-address.ts';
import { type Ended, runCommand, type Scripted } from '../../support/processes/scripted-terminal.ts';

const CANARY = 'canary-5f3a9c1e-secret';
const variables = {
  COUNTERSIGN_URL: 'https://one.example',
  COUNTERSIGN_API_KEY: 'key-1',
  COUNTERSIGN_API_SECRET: CANARY,
};

let home: string;
let ends: Ended[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'countersign-profiles-'));
  ends = [];
});
afterEach(() => {
  rmSync(home, { recursive: true });
  for (const { output, errors } of ends) expect(output + errors).not.toContain(CANARY);
});

const path = () => join(home, '.config/countersign/profiles.json');
async function command(args: string[], scripted: Scripted = {}): Promise<Ended> {
  const ended = await runCommand(args, { home, folder: home, ...scripted });
  ends.push(ended);
  return ended;
}
const profileOf = (env: Record<string, string>, name?: string) => readProfile({ env, home, folder: home }, name);

function keep(profiles: object, mode = 0o600): void {
  mkdirSync(join(home, '.config/countersign'), { recursive: true });
  writeFileSync(path(), JSON.stringify(profiles), { mode });
  chmodSync(path(), mode);
}
const two = {
  default: 'one',
  profiles: {
    one: { base_url: 'https://one.example', api_key: 'key-1', api_secret: CANARY },
    two: { base_url: 'https://two.example', api_key: 'key-2', api_secret: CANARY },
  },
};

test('the named profile comes before the variables, and these before the default', () => {
  keep(two);
  expect(profileOf({}).apiKey).toBe('key-1');
  expect(profileOf({ COUNTERSIGN_PROFILE: 'two' }).apiKey).toBe('key-2');
  expect(profileOf({ COUNTERSIGN_PROFILE: 'two' }, 'one').apiKey).toBe('key-1');
  expect(profileOf({ ...variables, COUNTERSIGN_API_KEY: 'key-3' }).apiKey).toBe('key-3');
  expect(profileOf({ ...variables, COUNTERSIGN_API_KEY: 'key-3' }, 'two').apiKey).toBe('key-2');
});

test('who has named nothing is told of the profile that the service has made in this folder', () => {
  expect(() => profileOf({})).toThrow(/^No profile is set: give --profile, set /);
  mkdirSync(join(home, '.local'));
  writeFileSync(join(home, '.local/credentials.json'), '{}', { mode: 0o600 });
  expect(() => profileOf({})).toThrow('give --profile (`--profile local` is what `npm start` has made here), set ');
});

test('the variables name a file of the secret, or have it, and are whole', () => {
  const { COUNTERSIGN_API_SECRET: _, ...others } = variables;
  writeFileSync(join(home, 'secret'), `${CANARY}\n`, { mode: 0o600 });
  expect(profileOf({ ...others, COUNTERSIGN_API_SECRET_FILE: join(home, 'secret') }).apiSecret).toBe(CANARY);
  expect(() => profileOf({ ...variables, COUNTERSIGN_API_SECRET_FILE: join(home, 'secret') })).toThrow('not both');
  expect(() => profileOf({ COUNTERSIGN_API_SECRET: CANARY })).toThrow('lacks COUNTERSIGN_URL and COUNTERSIGN_API_KEY.');
  chmodSync(join(home, 'secret'), 0o640);
  expect(() => profileOf({ ...others, COUNTERSIGN_API_SECRET_FILE: join(home, 'secret') })).toThrow('chmod 600');
});

test.each([0o604, 0o640, 0o620, 0o602, 0o644, 0o777])('a file of mode %o is refused', async (mode) => {
  keep(two, mode);
  const { code, errors } = await command(['wallets', 'list']);
  expect([code, errors]).toEqual([2, expect.stringContaining(`chmod 600 ${path()}`)]);
  expect((await command(['profiles', 'list'])).code).toBe(2);
  expect((await command(['profiles', 'add', 'three', '--url', 'https://x.example'], { input: '{}' })).code).toBe(2);
});

test.runIf(process.getuid?.() === 0)('a file of another user is refused, who could change it', async () => {
  keep(two);
  chownSync(path(), 65_534, 65_534);
  expect(await command(['wallets', 'list'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('another user'),
  });
});

test('a file that is no JSON is not quoted', async () => {
  keep({});
  writeFileSync(path(), `{"profiles": {"one": {"api_secret": "${CANARY}" oops`);
  expect(await command(['wallets', 'list'])).toMatchObject({ code: 2, errors: `${path()} holds no JSON object.\n` });
});

test('`local` is what npm start has written, and `local-approver` its other user', () => {
  mkdirSync(join(home, '.local'));
  const approver = { api_key: 'key-b', api_secret: CANARY };
  const kept = { base_url: 'http://127.0.0.1:8150', api_key: 'key-a', api_secret: CANARY, approver };
  writeFileSync(join(home, '.local/credentials.json'), JSON.stringify(kept), { mode: 0o600 });
  expect(profileOf({}, 'local')).toMatchObject({ apiKey: 'key-a', baseUrl: 'http://127.0.0.1:8150' });
  expect(profileOf({}, 'local-approver')).toMatchObject({ apiKey: 'key-b', baseUrl: 'http://127.0.0.1:8150' });
});

test('a profile is added from a prompt or standard input, used, listed and removed', async () => {
  const add = (name: string, ...more: string[]) => [
    'profiles',
    'add',
    name,
    '--url',
    `https://${name}.example`,
    ...more,
  ];
  const json = JSON.stringify({ workspace_id: 'w', api_key: 'key-1', api_secret: CANARY });
  expect((await command(add('one'), { input: json })).code).toBe(0);
  expect((await command(add('two', '--key', 'key-2'), { input: `${CANARY}\n` })).code).toBe(0);
  expect((await command(add('three'), { answers: ['key-3', CANARY] })).code).toBe(0);
  expect((await command(add('four'), { input: CANARY })).code).toBe(2);
  expect((await command(add('__proto__'), { input: json })).code).toBe(2);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(profileOf({})).toMatchObject({ name: 'one', apiKey: 'key-1', apiSecret: CANARY });
  expect(profileOf({}, 'three')).toMatchObject({ apiKey: 'key-3', apiSecret: CANARY });
  await command(['profiles', 'use', 'two']);
  await command(['profiles', 'remove', 'one']);
  const { output } = await command(['profiles', 'list']);
  expect(output.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['PROFILE', 'SERVICE', 'KEY'],
    ['two (default)', 'https://two.example', 'key-2'],
    ['three', 'https://three.example', 'key-3'],
    [''],
  ]);
  await command(['profiles', 'remove', 'two']);
  expect(JSON.parse(readFileSync(path(), 'utf8'))).not.toHaveProperty('default');
  expect((await command(['wallets', 'list'])).errors).toContain('No profile is set');
});

test.each([
  ['profiles', 'add', 'one', `--api-secret=${CANARY}`],
  ['--secret', CANARY, 'wallets', 'list'],
  ['wallets', 'list', '--password', CANARY],
  ['migrate', `--api-secret=${CANARY}`],
])('no secret is taken as an argument: %s %s %s', async (...args) => {
  expect(await command(args)).toMatchObject({ code: 2, errors: expect.stringContaining('No secret is taken') });
});

test.each([
  ['https://countersign.example', 'https://countersign.example'],
  ['https://countersign.example:8443/', 'https://countersign.example:8443'],
  ['http://127.0.0.1:8150', 'http://127.0.0.1:8150'],
  ['http://localhost:8150', 'http://localhost:8150'],
  ['http://[::1]:8150', 'http://[::1]:8150'],
])('%s is an address of the service', (text, address) => {
  expect(checkBaseUrl(text, { allowHttp: false })).toBe(address);
});

test.each([
  ['countersign.example', 'no http or https'],
  ['ftp://countersign.example', 'no http or https'],
  [`https://user:${CANARY}@countersign.example`, 'a user or a password'],
  ['https://countersign.example/api', 'ends with its host'],
  ['http://countersign.example', 'without TLS'],
  ['http://127.0.0.1.evil.example', 'without TLS'],
  ['http://localhost.evil.example', 'without TLS'],
])('%s is none', (text, why) => {
  expect(() => checkBaseUrl(text, { allowHttp: false })).toThrow(why);
  expect(() => checkBaseUrl(text, { allowHttp: false })).not.toThrow(CANARY);
});

test('without TLS another machine is spoken to where the profile allows it', () => {
  expect(
    profileOf({ ...variables, COUNTERSIGN_URL: 'http://10.0.0.7:8150', COUNTERSIGN_ALLOW_HTTP: '1' }).baseUrl,
  ).toBe('http://10.0.0.7:8150');
});
