// Goal: the catalogue shows every asset and network as the interface names them, obeys the deployment's switches, and
// never fails because prices do. Method: the API on a real, seeded database; a price source on a local port that
// answers what each case wants.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { assets, seedAssets } from '../../../drizzle/networks/assets.ts';
import { haltNetwork, noteUnwatched } from '../../../drizzle/networks/network-states.ts';
import { networks, seedNetworks } from '../../../drizzle/networks/networks.ts';
import { HttpPriceSource } from '../../../src/catalog/prices.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { connectNetwork } from '../../support/rows/funded.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const ETHEREUM = '6e657477-6f72-4000-8000-000000000004';
const GNOSIS = '6e657477-6f72-4000-8001-000000000064';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const get = (path: string) => api.call('GET', `/api/v1${path}`);
const codesOf = (rows: { network: { internal_code: string } }[]) =>
  [...new Set(rows.map(({ network }) => network.internal_code))].toSorted();

describe('GET /assets', () => {
  test('200: all assets of enabled networks, each with every field and its network', async () => {
    const { status, body } = await get('/assets');
    expect(status).toBe(200);
    const enabled = networkSeed.filter(({ disabled }) => !disabled).map(({ internalCode }) => internalCode);
    expect(codesOf(body.data)).toEqual(enabled.toSorted());
    const usdc = body.data.find(
      (row: { symbol: string; network_id: string }) => row.symbol === 'USDC' && row.network_id === ETHEREUM,
    );
    expect(usdc).toEqual({
      id: 'bfc0a64b-e218-5deb-9c64-4125afa39d1a',
      name: 'USD Coin',
      symbol: 'USDC',
      address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      asset_type: 'token',
      address_type: 'evm',
      network_id: ETHEREUM,
      logo_url: '/logos/usdc.svg',
      decimals: 6,
      is_native: false,
      is_whitelisted: true,
      network: {
        id: ETHEREUM,
        name: 'Ethereum',
        native_currency: 'ETH',
        internal_code: 'ETHEREUM_MAINNET',
        logo_url: '/logos/eth.svg',
        is_evm: true,
        is_testnet: false,
        disabled: false,
        chain_id: 1,
        confirmation_blocks: 12,
        capabilities: { sign: true, deposit: false, withdraw: false },
      },
      price_usd: null,
    });
  });

  test.each([
    ['symbol, in any case', 'symbol=usdt', 8, (row: { symbol: string }) => row.symbol === 'USDT'],
    ['network', `network_id=${ETHEREUM}`, 4, (row: { network_id: string }) => row.network_id === ETHEREUM],
    ['network, in upper case', `network_id=${ETHEREUM.toUpperCase()}`, 4, () => true],
    ['native only', 'is_native=true', 22, (row: { is_native: boolean }) => row.is_native],
    ['part of a name', 'q=binance-peg', 2, (row: { name: string }) => row.name.startsWith('Binance-Peg')],
    ['part of a symbol', 'q=sd', 25, (row: { symbol: string }) => row.symbol.startsWith('USD')],
    ['all together', `symbol=DAI&is_native=false&network_id=${ETHEREUM}&q=stable`, 1, () => true],
    ['a symbol is matched whole', 'symbol=USD', 0, () => true],
    ['a sign that databases give a meaning has none', 'q=%25', 0, () => true],
    ['a network that does not exist', `network_id=${UNKNOWN}`, 0, () => true],
    ['a disabled network', `network_id=${GNOSIS}`, 0, () => true],
  ])('200, filtered by %s', async (_name, query, count, holds) => {
    const { status, body } = await get(`/assets?${query}`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(count);
    expect(body.data.every(holds)).toBe(true);
  });

  test.each(['symbol=', 'q=', 'network_id=1', 'is_native=yes', 'is_native=1', 'colour=red', 'symbol=A&symbol=B'])(
    '400: %s',
    async (query) => {
      expect(await get(`/assets?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );
});

test('GET /assets/{asset_id}: 200 as in the list; 404; 400', async () => {
  const [first] = (await get('/assets')).body.data;
  expect(await get(`/assets/${first.id.toUpperCase()}`)).toMatchObject({ status: 200, body: { data: first } });
  expect(await get(`/assets/${UNKNOWN}`)).toMatchObject({ status: 404, body: { code: 'not_found', data: null } });
  expect(await get('/assets/ETH')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

describe('GET /networks', () => {
  test('200: all of them, the disabled ones too', async () => {
    const { body } = await get('/networks');
    expect(body.data).toHaveLength(networkSeed.length);
    const byCode = Object.fromEntries(body.data.map((row: { internal_code: string }) => [row.internal_code, row]));
    expect(byCode['GNOSIS_MAINNET']).toMatchObject({ id: GNOSIS, disabled: true, chain_id: 100, logo_url: '' });
    expect(byCode['SOL_MAINNET']).toMatchObject({ disabled: false, chain_id: null, is_evm: false });
  });

  test.each([true, false])('200: is_testnet=%s', async (isTestnet) => {
    const { body } = await get(`/networks?is_testnet=${isTestnet}`);
    const expected = networkSeed.filter((network) => network.isTestnet === isTestnet);
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  });

  test.each(['is_testnet=no', 'name=x'])('400: %s', async (query) => {
    expect(await get(`/networks?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('one: 200, also a disabled one; 404; 400', async () => {
    expect(await get(`/networks/${GNOSIS.toUpperCase()}`)).toMatchObject({
      status: 200,
      body: { data: { id: GNOSIS, internal_code: 'GNOSIS_MAINNET', disabled: true } },
    });
    expect(await get(`/networks/${UNKNOWN}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await get('/networks/ETHEREUM_MAINNET')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

test('capabilities: what this deployment can do on each network, and what it cannot', async () => {
  const another = await api.startAnother({ networkSwitches: { enabled: [], disabled: ['ARBITRUM_MAINNET'] } });
  const codes = ['BASE_MAINNET', 'OPTIMISM_MAINNET', 'POLYGON_MAINNET', 'ARBITRUM_MAINNET', 'TRON_MAINNET'];
  for (const code of codes) {
    const networkId = networkSeed.find(({ internalCode }) => internalCode === code)?.id ?? '';
    await connectNetwork(api.db, networkId);
    if (code === 'OPTIMISM_MAINNET') await haltNetwork(api.db, networkId, 101, 'a fork without an end');
    if (code === 'POLYGON_MAINNET') await noteUnwatched(api.db, networkId);
  }
  const { body } = await api.call('GET', '/api/v1/networks', undefined, { at: another.app });
  const of = Object.fromEntries(
    body.data.map(({ internal_code, capabilities }: { internal_code: string; capabilities: object }) => [
      internal_code,
      capabilities,
    ]),
  );
  const [all, none] = [true, false].map((can) => ({ sign: can, deposit: can, withdraw: can }));
  const signs = { sign: true, deposit: false, withdraw: false };
  expect(of).toMatchObject({
    BASE_MAINNET: all,
    // Halted, without its node any more, never with one, and without an adapter.
    OPTIMISM_MAINNET: signs,
    POLYGON_MAINNET: signs,
    ETHEREUM_MAINNET: signs,
    TRON_MAINNET: signs,
    // Switched off here, and in the catalogue.
    ARBITRUM_MAINNET: none,
    GNOSIS_MAINNET: none,
  });
  const assets = await api.call('GET', '/api/v1/assets?symbol=USDC', undefined, { at: another.app });
  for (const { network } of assets.body.data) expect(network.capabilities).toEqual(of[network.internal_code]);
  await another.stop();
});

test.each(['/assets?is_native=true', '/networks?is_testnet=false'])(
  '%s: whole without a limit, and page after page with one; 400 for the cursor of another list',
  async (path) => {
    const whole = (await get(path)).body.data;
    expect(whole.length).toBeGreaterThan(3);
    const pages: unknown[] = [];
    let next: string | undefined = `/api/v1${path}&limit=3`;
    while (next !== undefined) {
      const page = await api.call('GET', next);
      expect(page.body.data.length).toBeLessThanOrEqual(3);
      pages.push(...page.body.data);
      next = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link))?.[1];
    }
    expect(pages).toEqual(whole);
    const { headers } = await get(`${path}&limit=1`);
    const other = path.startsWith('/assets') ? '/networks' : '/assets';
    expect((await get(`${other}?limit=1&cursor=${String(headers['x-next-cursor'])}`)).body.code).toBe('invalid_cursor');
    expect((await get(`${path}&limit=1&cursor=nothing`)).body.code).toBe('invalid_cursor');
  },
);

test.each(['/assets', `/assets/${UNKNOWN}`, '/networks', `/networks/${ETHEREUM}`])('401 and 403: %s', async (path) => {
  expect((await api.app.inject({ method: 'GET', url: `/api/v1${path}` })).statusCode).toBe(401);
  const key = await api.makeKey({ scopes: ['wallets:read'] });
  expect(await api.call('GET', `/api/v1${path}`, undefined, { key })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
});

describe('the switches of a deployment', () => {
  let switched: TestApi;
  beforeAll(async () => {
    switched = await startApi({
      networkSwitches: { enabled: ['GNOSIS_MAINNET', 'CELO_MAINNET'], disabled: ['ETHEREUM_MAINNET', 'CELO_MAINNET'] },
    });
  });
  afterAll(() => switched.stop());

  test('assets appear and go; a network in both lists is off; a disabled one stays visible', async () => {
    const { body } = await switched.call('GET', '/api/v1/assets');
    expect(codesOf(body.data)).toContain('GNOSIS_MAINNET');
    expect(codesOf(body.data)).not.toContain('ETHEREUM_MAINNET');
    expect(codesOf(body.data)).not.toContain('CELO_MAINNET');
    const { data } = (await switched.call('GET', `/api/v1/networks/${ETHEREUM}`)).body;
    expect(data).toMatchObject({ internal_code: 'ETHEREUM_MAINNET', disabled: true });
  });

  test.each([
    ['ETHEREUM_MAINNET', 400],
    ['CELO_MAINNET', 400],
    ['GNOSIS_MAINNET', 202],
    ['TRON_MAINNET', 202],
    ['MOONBEAM_MAINNET', 400],
  ])('signing for %s: %i', async (network_internal_code, status) => {
    const wallet = await switched.makeActiveWallet();
    const body = { network_internal_code, signing_hash: 'ab'.repeat(32) };
    const answer = await switched.call('POST', `/api/v1/web3/transaction/${wallet}/signRaw`, body);
    expect(answer.status).toBe(status);
  });
});

describe('a deployment that is brought to a new version', () => {
  test('keeps what its operator chose, and takes the facts', async () => {
    await api.db.update(networks).set({ disabled: false, name: 'xDai' }).where(eq(networks.id, GNOSIS));
    await api.db.update(networks).set({ disabled: true }).where(eq(networks.id, ETHEREUM));
    await api.db.update(assets).set({ isWhitelisted: false, decimals: 7 }).where(eq(assets.symbol, 'DAI'));
    await seedNetworks(api.db);
    await seedAssets(api.db);
    const [gnosis] = await api.db.select().from(networks).where(eq(networks.id, GNOSIS));
    expect(gnosis).toMatchObject({ disabled: false, name: 'Gnosis' });
    const [ethereum] = await api.db.select().from(networks).where(eq(networks.id, ETHEREUM));
    expect(ethereum?.disabled).toBe(true);
    const dai = await api.db.select().from(assets).where(eq(assets.symbol, 'DAI'));
    expect(new Set(dai.map(({ isWhitelisted, decimals }) => `${isWhitelisted} ${decimals}`))).toEqual(
      new Set(['false 18']),
    );
  });
});

describe('GET /logos/{file}', () => {
  test('200, public, for ever: every logo that the catalogue names', async () => {
    const rows = [...(await get('/assets')).body.data, ...(await get('/networks')).body.data];
    const urls = new Set(rows.map(({ logo_url }: { logo_url: string }) => logo_url).filter((url) => url !== ''));
    expect(urls.size).toBe(10);
    for (const url of urls) {
      const answer = await api.app.inject({ method: 'GET', url });
      expect([url, answer.statusCode, answer.body.startsWith('<svg ')]).toEqual([url, 200, true]);
      expect(answer.headers).toMatchObject({
        'content-type': expect.stringMatching(/^image\/svg\+xml/),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    }
  });

  test.each([
    'doge.svg',
    'README.md',
    'eth',
    '..%2fcatalog.routes.ts',
    '%2e%2e%2fnetworks.ts',
    '..%5cnetworks.ts',
    '%2fetc%2fpasswd',
    'eth.svg%00',
    '__proto__',
  ])('404: %s', async (file) => {
    const answer = await api.app.inject({ method: 'GET', url: `/logos/${file}` });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  });
});

describe('prices', () => {
  let server: Server;
  let answer: RequestListener;
  let asked = 0;
  const warnings: object[] = [];
  const log = { warn: (details: object) => void warnings.push(details) };
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hunter2`;
  const answering =
    (body: string): RequestListener =>
    (_request, response) =>
      void response.end(body);

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('assets show them by symbol, one question for many; coins of test networks are worth nothing', async () => {
    answer = answering(JSON.stringify({ ETH: '3123.4', usdc: '0.9998', SOL: 12.5, BTC: 'much', '': '1' }));
    const priced = await startApi({ priceSourceUrl: url() });
    try {
      asked = 0;
      const answers = await Promise.all([1, 2, 3].map(() => priced.call('GET', '/api/v1/assets')));
      const prices = Object.fromEntries(
        answers[0]?.body.data.map((row: { symbol: string; price_usd: string; network: { internal_code: string } }) => [
          `${row.network.internal_code} ${row.symbol}`,
          row.price_usd,
        ]),
      );
      expect(prices).toMatchObject({
        'ETHEREUM_MAINNET ETH': '3123.4',
        'BASE_MAINNET ETH': '3123.4',
        'SOL_MAINNET USDC': '0.9998',
        'SOL_MAINNET SOL': null,
        'BTC_MAINNET BTC': null,
        'AVALANCHE_MAINNET AVAX': null,
        'ETHER_SEPOLIA_TESTNET ETH': null,
        'ETHEREUM_SANDBOX ETH': null,
      });
      expect(asked).toBe(1);
    } finally {
      await priced.stop();
    }
  });

  const failures: [string, RequestListener, RegExp][] = [
    ['an error', (_request, response) => void response.writeHead(500).end(), /^it answered 500$/],
    ['no JSON', answering('<html>'), /^SyntaxError$/],
    ['a list', answering('["ETH"]'), /no object/],
    ['null', answering('null'), /no object/],
    ['a connection that breaks', (request) => void request.socket.destroy(), /^TypeError$/],
    ['a redirect', (_request, response) => void response.writeHead(302, { location: '/' }).end(), /^TypeError$/],
    ['more than a mebibyte', answering(`{"ETH":"1","x":"${'x'.repeat(1024 * 1024)}"}`), /longer than 1048576 bytes/],
    ['no answer at all', () => {}, /^TimeoutError$/],
  ];
  test.each(failures)('%s: no prices, one line in the log without the address', async (_name, listener, reason) => {
    answer = listener;
    warnings.length = 0;
    asked = 0;
    const source = new HttpPriceSource(url(), log);
    expect((await source.current()).size).toBe(0);
    expect((await source.current()).size).toBe(0);
    expect(asked).toBe(1);
    expect(warnings).toEqual([{ reason: expect.stringMatching(reason) }]);
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
  });
});
