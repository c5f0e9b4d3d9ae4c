// Goal: a chain is embedded only where nothing else was named, and one that this machine has no program for does not
// keep the rest from running. Method: the parts of the starter by themselves, with a PATH and a folder of the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { provideChains } from '../../../src/local/chains.ts';
import { type Context, provideMpc } from '../../../src/local/embedded-parts.ts';
import { mineOnDemand } from '../../../src/local/mine-on-demand.ts';
import { readLocalSettings } from '../../../src/local/settings.ts';

const elsewhere = {
  ETHEREUM_SANDBOX: 'https://ethereum.example/?key=a=b',
  SOL_SANDBOX: 'http://127.0.0.1:8899',
  BTC_SANDBOX: 'http://user:password@127.0.0.1:18443',
};
const named = (codes: (keyof typeof elsewhere)[]) => codes.map((code) => `${code}=${elsewhere[code]}`).join(',');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-chains-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function contextOf(environment: NodeJS.ProcessEnv): { context: Context; reported: string[]; started: string[] } {
  const reported: string[] = [];
  const started: string[] = [];
  const supervision = {
    report: (line: string) => void reported.push(line),
    signal: new AbortController().signal,
    onExhausted: () => {},
  };
  const context: Context = {
    root,
    settings: readLocalSettings(environment),
    supervision,
    onStart: (_stage, name) => void started.push(name),
  };
  return { context, reported, started };
}

describe('provideChains', () => {
  test('starts nothing for a network that RPC_URLS names', async () => {
    const { context, started } = contextOf({ RPC_URLS: named(['ETHEREUM_SANDBOX', 'SOL_SANDBOX', 'BTC_SANDBOX']) });
    expect(await provideChains(context, Promise.resolve())).toEqual(elsewhere);
    expect(started).toEqual([]);
  });

  test('leaves Bitcoin out, with one sentence, where neither btcd nor Go is', async () => {
    vi.stubEnv('PATH', root);
    const { context, reported, started } = contextOf({ RPC_URLS: named(['ETHEREUM_SANDBOX', 'SOL_SANDBOX']) });
    const { BTC_SANDBOX: _, ...others } = elsewhere;
    expect(await provideChains(context, Promise.resolve())).toEqual(others);
    expect(started).toEqual([]);
    expect(reported).toEqual([expect.stringMatching(/^BTC_SANDBOX is left out: the program `btcd` is missing, .*Go/)]);
  });

  test('embeds none in production', async () => {
    const production = {
      SERVICE_ENV: 'production',
      DATABASE_URL: 'postgres://db.example/x',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      MPC_NODES: '1=a:1,2=b:1,3=c:1',
      MPC_CLUSTER_FILE: 'cluster.json',
      MPC_CREDENTIALS_DIR: 'credentials',
      KEY_ENCRYPTION_KEY: '00',
    };
    const { context, started } = contextOf({ ...production, RPC_URLS: 'ETHEREUM_MAINNET=https://rpc.example' });
    expect(await provideChains(context, Promise.resolve())).toEqual({ ETHEREUM_MAINNET: 'https://rpc.example' });
    expect(started).toEqual([]);
  });

  test.each(['http://127.0.0.1:8545', 'ETHEREUM_SANDBOX=127.0.0.1:8545', 'ETHEREUM_SANDBOX=ftp://x', 'A=http://'])(
    'refuses RPC_URLS=%s',
    (value) => expect(() => readLocalSettings({ RPC_URLS: value })).toThrow(/^RPC_URLS must be/),
  );

  test('keeps exports in its own folder unless a folder or a bucket is named', () => {
    expect(readLocalSettings({})).not.toHaveProperty('exportDirectory');
    expect(readLocalSettings({ EXPORT_S3_BUCKET: 'exports' })).toMatchObject({ exportDirectory: '' });
    const both = { EXPORT_DIRECTORY: '/exports', EXPORT_S3_BUCKET: 'exports' };
    expect(readLocalSettings(both)).toMatchObject({ exportDirectory: '/exports' });
  });

  test('has nodes, a file of clusters or the software signer, not two of them', async () => {
    const nodes = { MPC_NODES: '1=a:1', MPC_CLUSTER_FILE: 'cluster.json', MPC_CREDENTIALS_DIR: 'credentials' };
    const seed = { MPC_SOFTWARE_SEED: 'ab'.repeat(32) };
    expect(readLocalSettings(seed)).toMatchObject({ softwareSeed: 'ab'.repeat(32) });
    expect(() => readLocalSettings({ ...nodes, ...seed })).toThrow(
      /^MPC_SOFTWARE_SEED and MPC_NODES exclude each other/,
    );
    const several = { MPC_CLUSTERS_FILE: 'clusters.json' };
    for (const other of [nodes, seed])
      expect(() => readLocalSettings({ ...several, ...other })).toThrow(/MPC_CLUSTERS_FILE.* exclude each other/);
    const production = { SERVICE_ENV: 'production', DATABASE_URL: 'a', TEMPORAL_ADDRESS: 'b', KEY_ENCRYPTION_KEY: 'c' };
    expect(() => readLocalSettings(production)).toThrow(/: set MPC_NODES\.$/);
    expect(readLocalSettings({ ...production, ...several })).toMatchObject({ production: true });
    expect(await provideMpc(contextOf(several).context)).toEqual({ MPC_CLUSTERS_FILE: resolve('clusters.json') });
  });
});

describe('mineOnDemand', () => {
  test('mines while transactions wait, then as many blocks as confirm them, then none', async () => {
    const ending = new AbortController();
    const waiting = [0, 0, 0, 2, 1, 0, 0, 0, 0];
    const blocks: number[] = [];
    let saved = 0;
    await mineOnDemand({
      signal: ending.signal,
      everyMs: 1,
      confirmingBlocks: 2,
      countWaiting: async () => waiting[saved] ?? 0,
      mineBlock: async () => blocks.push(saved),
      save: async () => {
        saved += 1;
        if (saved === waiting.length) ending.abort();
      },
    });
    // The first two belong to what was mined before it started.
    expect(blocks).toEqual([0, 1, 3, 4, 5, 6]);
  });

  test('outlives a node that does not answer', async () => {
    const ending = new AbortController();
    let asked = 0;
    const mineBlock = vi.fn(async () => {});
    await mineOnDemand({
      signal: ending.signal,
      everyMs: 1,
      confirmingBlocks: 1,
      countWaiting: async () => {
        asked += 1;
        if (asked < 3) throw new Error('connection refused');
        return 0;
      },
      mineBlock,
      save: async () => ending.abort(),
    });
    expect(mineBlock).toHaveBeenCalledOnce();
  });
});
