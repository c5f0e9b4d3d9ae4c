// Goal: whoever is refused a withdrawal reads why, each cause in a sentence of its own and amounts in the unit that he
// sent, and is told no balance that his key may not read. Method: the API on a real database, Temporal away.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let api: TestApi;
let walletId: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  for (const { networkId } of Object.values(sandbox)) await connectNetwork(api.db, networkId);
  walletId = await api.makeActiveWallet();
  await credit(api.db, walletId, sandbox.ETH, 5n * 10n ** 17n);
});
afterAll(() => api.stop());

const nextSecond = distinctSeconds();
const post = (path: string, body: unknown, key: TestKey = api.admin): Promise<Answer> =>
  api.call('POST', `/api/v1${path}`, body, { key, timestamp: nextSecond() });
const withdraw = (more: object, key?: TestKey) =>
  post(
    `/wallets/${walletId}/request-withdrawal`,
    { asset_id: sandbox.ETH.assetId, amount: '0.1', recipient_address: TO, ...more },
    key,
  );
const send = (body: object) => post(`/web3/transaction/${walletId}/signRaw`, { to: TO, chainId: 31337, ...body });

describe('an address that is none', () => {
  const told = [
    ['a wrong checksum', TO.replace('997', '998'), 'has a checksum that does not fit (EIP-55)'],
    ['all zeros', `0x${'0'.repeat(40)}`, 'is the address of all zeros'],
    ['of another chain', 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk', 'is an address of Solana, and none of'],
    ['too short', TO.slice(0, -2), 'has 38 hex digits after 0x, and an address has 40'],
  ] as const;

  test.each(told)('%s: 400 on every route that takes one', async (_why, text, said) => {
    const answers = [
      ['recipient_address', await withdraw({ recipient_address: text })],
      ['to', await send({ to: text, value: '1' })],
      ['body.from', await send({ from: text, value: '1' })],
      [
        'address',
        await post(`/workspaces/${api.workspaceId}/address-book`, {
          network_id: sandbox.ETH.networkId,
          address: text,
          label: 'A supplier',
        }),
      ],
    ] as const;
    for (const [field, { status, body }] of answers) {
      expect([status, body.code]).toEqual([400, 'invalid_address']);
      expect(body.message).toContain(`${field} ${said}`);
    }
  });
});

describe('409 insufficient_funds', () => {
  test('in the unit that was sent: the asset, or base units', async () => {
    expect(await withdraw({ amount: '2.5' })).toMatchObject({
      status: 409,
      body: {
        code: 'insufficient_funds',
        message: 'The wallet has 0.5 ETH available, and 2.5 ETH is asked for: ask for less, or pay in first.',
      },
    });
    const { body } = await send({ value: '2500000000000000000' });
    expect(body).toMatchObject({ code: 'insufficient_funds' });
    expect(body.message).toContain('500000000000000000 wei (0.5 ETH) available');
    expect(body.message).toContain('2500000000000000000 wei (2.5 ETH) is asked for');
  });

  test('says what is available only to a key that may read balances', async () => {
    const writer = await api.makeKey({ scopes: ['withdrawals:write'] });
    const { body } = await withdraw({ amount: '2.5' }, writer);
    expect(body.message).toBe('The wallet has less than 2.5 ETH available: ask for less, or pay in first.');
    const reader = await api.makeKey({ scopes: ['withdrawals:write', 'balances:read'] });
    expect((await withdraw({ amount: '2.5' }, reader)).body.message).toContain('0.5 ETH available');
  });
});

test('400: an amount beyond what anybody means, and a price, in the unit that was sent', async () => {
  const value = `${20_001n * 10n ** 18n}`;
  expect((await send({ value })).body.message).toContain(
    `value must be at most ${20_000n * 10n ** 18n} wei (20000 ETH)`,
  );
  expect((await withdraw({ amount: '20001' })).body.message).toContain('amount must be at most 20000 ETH');
  const priced = await send({ value: '1', gasLimit: '21000', maxFeePerGas: `${5_000n * 10n ** 9n}` });
  expect(priced).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(priced.body.message).toContain('a price of 5000 gwei (5000000000000 wei) is above the cap');
});
