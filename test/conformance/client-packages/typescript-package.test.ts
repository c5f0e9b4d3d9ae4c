// Goal: @countersign/client is taken by whoever installs it: as a module or by require, in Node and in browsers, with
// types, and small. Method: the packed file is installed in an empty project, judged by attw and publint, compiled
// against by a reader of each kind, and run where there is nothing of Node.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installTypeScript, removePackages } from './packages.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const GZIP_BYTES_MAX = 30_000;
const PEERS = ['viem', 'ethers', '@types/node'];
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'request-vectors.json'), 'utf8')) as {
  given: { api_key: string; api_secret: string; method: string; path: string; body: string; unix_seconds: number };
  access_sign: string;
}[];

let project: string;
let packed: string;
let folder: string;
beforeAll(async () => {
  ({ project, packed, folder } = await installTypeScript());
  for (const name of PEERS) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
}, 300_000);
afterAll(removePackages);

test('attw finds the types of every entry, for import and for require', async () => {
  const attw = join(root, 'node_modules/.bin/attw');
  await execute(attw, ['--profile', 'node16', packed]).catch(({ stdout }) => expect.fail(stdout));
});

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: folder, strict: true });
  expect(messages).toEqual([]);
});

test('is small', () => {
  for (const format of ['esm', 'cjs']) {
    const files = readdirSync(join(folder, 'dist', format)).filter((name) => name.endsWith('.js'));
    const bytes = files.map((name) => gzipSync(readFileSync(join(folder, 'dist', format, name))).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(GZIP_BYTES_MAX);
  }
});

const READER = `
const client = new CountersignClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', apiSecret: 'secret' });
const network = 'ETHEREUM_SANDBOX';
const walletId = 'wallet';
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const;
export const account: LocalAccount = toViemAccount({ client, walletId, network, address });
export const signer: Signer = toEthersSigner({ client, walletId, network, address });
export const solana: string = toSolanaSigner({ client, walletId, network: 'SOL', address: 'address' }).address;
export const sent = async (): Promise<string | undefined> => {
  const { status, tx_hash } = await client.requestWithdrawal(walletId, {
    asset_id: 'asset',
    amount: '1',
    recipient_address: address,
  }).wait();
  // @ts-expect-error: this is no status of a withdrawal
  if (status === 'finished') return undefined;
  return tx_hash;
};
`;

test.each([
  ['mts', 'module'],
  ['cts', 'commonjs'],
])('a reader of it in .%s compiles, strictly, and runs', async (extension) => {
  const imports = `import { CountersignClient } from '@countersign/client';
import { toEthersSigner } from '@countersign/client/ethers';
import { toSolanaSigner } from '@countersign/client/solana';
import { toViemAccount } from '@countersign/client/viem';
import type { Signer } from 'ethers';
import type { LocalAccount } from 'viem';
`;
  writeFileSync(join(project, `reader.${extension}`), imports + READER);
  const options = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await execute(tsc, [...options, `reader.${extension}`], { cwd: project }).catch((error) => error);
  expect(stdout).toBe('');
  const name = `./reader.${extension.replace('ts', 'js')}`;
  const show = `import(${JSON.stringify(name)}).then(({ account, signer, solana }) =>
    console.log(account.address === signer.address || typeof signer.signMessage, solana))`;
  const shown = await execute(process.execPath, ['-e', show], { cwd: project });
  expect(shown.stdout.trim()).toBe('function address');
});

test('signs and verifies where there is nothing of Node', async () => {
  const contents = `export { CountersignClient, signRequest, verifyWebhook } from '@countersign/client';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    format: 'iife',
    globalName: 'countersign',
    platform: 'browser',
    write: false,
  });
  const { TextEncoder, TextDecoder, Headers, crypto, fetch, URLSearchParams, btoa, atob } = globalThis;
  const context = createContext({ TextEncoder, TextDecoder, Headers, crypto, fetch, URLSearchParams, btoa, atob });
  runInContext(outputFiles[0]?.text ?? '', context);
  expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe('undefined'.repeat(3));
  for (const { given, access_sign } of vectors) {
    const { api_key: apiKey, api_secret: apiSecret, unix_seconds, ...request } = given;
    const args = [{ apiKey, apiSecret }, request, unix_seconds].map((each) => JSON.stringify(each)).join(', ');
    expect(runInContext(`countersign.signRequest(${args})['ACCESS-SIGN']`, context)).toBe(access_sign);
  }
});
