// Goal: no rule is passed by hiding what an operation moves: beside something small, in an older form, behind a lookup
// table, in bytes that nobody reads. Method: the messages of the audit and their kin, over HTTP on a real database,
// against the rule that they had passed.
import { base58 } from '@scure/base';
import { and, eq } from 'drizzle-orm';
import { encodeFunctionData, erc20Abi, keccak256, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Conditions, PolicyAction, PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { mail, signPath } from '../../support/api/sign.ts';
import {
  type Instruction,
  keyOf,
  lamportsTo,
  PAYER,
  SOMEBODY,
  solanaMessage,
  uint64,
} from '../../support/chains/solana-messages.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { sandbox } from '../../support/rows/funded.ts';

const SOL = 1_000_000_000n;
const TOKEN_PROGRAM = base58.decode('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const FROM = keyOf(3);

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let usdc: { id: string; mint: Uint8Array };
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  walletId = await api.makeActiveWallet();
  const onSolana = and(eq(assets.networkId, sandbox.SOL.networkId), eq(assets.isNative, false));
  const [token] = await api.db.select().from(assets).where(onSolana);
  if (token?.contractAddress == null) throw new Error('the sandbox has no token on Solana');
  usdc = { id: token.id, mint: base58.decode(token.contractAddress) };
});
afterAll(() => api.stop());

const checked = (amount: bigint, mint: Instruction['accounts'][number] = usdc.mint): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [FROM, mint, SOMEBODY, PAYER],
  data: Uint8Array.of(12, ...uint64(amount), 6),
});
const older = (amount: bigint): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [FROM, SOMEBODY, PAYER],
  data: Uint8Array.of(3, ...uint64(amount)),
});
const policy = (when: Conditions, then: PolicyAction): PolicyDocument => ({
  rules: [{ name: 'guarded', when, then }],
  default: { action: 'allow' },
});
const approval: PolicyAction = { action: 'require_approvals', approvals: 1 };
const send = (unsigned_tx: string) =>
  stage.call('POST', signPath('signTransaction', walletId), {
    network_internal_code: 'SOL_SANDBOX',
    unsigned_tx,
    derivation_path: 'm/9',
  });
const stateOf = async (unsigned_tx: string) => {
  const { status, body } = await send(unsigned_tx);
  return status === 403 ? body.code : (body.data.signing_request.status_reason ?? 'allowed');
};

describe('more than 1 SOL needs approval', () => {
  const set = () => stage.setPolicy(policy({ amount: { asset_id: sandbox.SOL.assetId, more_than: '1' } }, approval));

  test.each<[string, () => `0x${string}`, string]>([
    ['0.99 SOL, with its fee', () => solanaMessage([lamportsTo(990_000_000n)]), 'allowed'],
    ['100 SOL', () => solanaMessage([lamportsTo(100n * SOL)]), 'awaiting_approval'],
    [
      '100 SOL and 0.001 SOL in one message',
      () => solanaMessage([lamportsTo(100n * SOL), lamportsTo(SOL / 1000n)]),
      'awaiting_approval',
    ],
    ['0.6 SOL twice', () => solanaMessage([lamportsTo(600_000_000n), lamportsTo(600_000_000n)]), 'awaiting_approval'],
    ['SOL to an address of a lookup table', () => solanaMessage([lamportsTo(1n, { lookup: 0 })], 1), 'policy_denied'],
  ])('%s', async (_name, message, expected) => {
    await set();
    expect(await stateOf(message())).toBe(expected);
  });
});

describe('deny above 10 USDC', () => {
  const set = () => stage.setPolicy(policy({ amount: { asset_id: usdc.id, more_than: '10' } }, { action: 'deny' }));

  test.each<[string, () => `0x${string}`, string]>([
    ['10 USDC', () => solanaMessage([checked(10_000_000n)]), 'allowed'],
    ['10.000001 USDC', () => solanaMessage([checked(10_000_001n)]), 'policy_denied'],
    ['6 USDC twice', () => solanaMessage([checked(6_000_000n), checked(6_000_000n)]), 'policy_denied'],
    ['the older transfer, which names no token', () => solanaMessage([older(1_000_000_000n)]), 'policy_denied'],
    ['a mint in a lookup table', () => solanaMessage([checked(1_000_000_000n, { lookup: 0 })], 1), 'policy_denied'],
    ['1 USDC and the older transfer', () => solanaMessage([checked(1n), older(1_000_000_000n)]), 'policy_denied'],
  ])('%s', async (_name, message, expected) => {
    await set();
    expect(await stateOf(message())).toBe(expected);
  });
});

test('who allows must know every destination: a second one beside a known one is not allowed', async () => {
  const book = { network_id: sandbox.SOL.networkId, address: base58.encode(keyOf(4)), label: 'Known' };
  await stage.call('POST', `/api/v1/workspaces/${api.workspaceId}/address-book`, book);
  const known: PolicyDocument = {
    rules: [
      {
        name: 'known',
        when: { networks: ['SOL_SANDBOX'], destination: { in_address_book: true } },
        then: { action: 'allow' },
      },
      { name: 'elsewhere', when: { networks: ['SOL_MAINNET', 'SOL_DEVNET'] }, then: { action: 'allow' } },
    ],
    default: approval,
  };
  await stage.setPolicy(known);
  expect(await stateOf(solanaMessage([lamportsTo(1n, keyOf(4))]))).toBe('allowed');
  expect(await stateOf(solanaMessage([lamportsTo(1n, keyOf(4)), lamportsTo(100n * SOL)]))).toBe('awaiting_approval');
  expect(await stateOf(solanaMessage([checked(1n)]))).toBe('awaiting_approval');
});

describe('on Ethereum, under a policy that denies more than 1 ETH and allows the rest', () => {
  const network_internal_code = 'ETHEREUM_SANDBOX';
  const limit = () =>
    stage.setPolicy(policy({ amount: { asset_id: sandbox.ETH.assetId, more_than: '1' } }, { action: 'deny' }));
  const sign = async (route: 'signRaw' | 'signTyped' | 'signTransaction', body: object) =>
    (await stage.call('POST', signPath(route, walletId), { network_internal_code, ...body })).status;
  const unsigned = (fields: object) =>
    serializeTransaction({ type: 'eip1559', chainId: 31337, to: `0x${'99'.repeat(20)}`, ...fields });

  test('a raw digest, which may be of anything', async () => {
    await limit();
    expect(await sign('signRaw', { signing_hash: 'ab'.repeat(32) })).toBe(403);
  });

  test('bytes that hash to the digest and are no transaction that can be read', async () => {
    await limit();
    const readable = unsigned({ value: 1n });
    for (const unsigned_tx of [`${readable}00`, readable.replace('0x02', '0x05')] as `0x${string}`[])
      expect(await sign('signRaw', { unsigned_tx, signing_hash: keccak256(unsigned_tx) })).toBe(403);
  });

  test('typed data that nobody named', async () => {
    await limit();
    expect(await sign('signTyped', { typed_data: { ...mail, domain: { ...mail.domain, chainId: 31337 } } })).toBe(403);
  });

  test('a token that the catalogue does not have: on some chains one stands for the coin', async () => {
    await limit();
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [`0x${'88'.repeat(20)}`, 1n] });
    expect(await sign('signTransaction', { unsigned_tx: unsigned({ data }) })).toBe(403);
    await stage.setPolicy({ rules: [], default: { action: 'allow' } });
    expect(await sign('signTransaction', { unsigned_tx: unsigned({ data }) })).toBe(202);
  });
});

test('a simulation shows what would move, for which networks, and what is not understood', async () => {
  const simulate = async (instructions: Instruction[], tables = 0) => {
    const item = {
      type: 'transaction',
      network_internal_code: 'SOL_SANDBOX',
      unsigned_tx: solanaMessage(instructions, tables),
      derivation_path: 'm/9',
    };
    const path = `/api/v1/workspaces/${api.workspaceId}/policy/simulate`;
    return (await stage.call('POST', path, { signing: { wallet_id: walletId, item } })).body.data;
  };
  const destination = base58.encode(SOMEBODY);
  const found = await simulate([lamportsTo(SOL / 2n), checked(7_000_000n), older(5n)]);
  expect(found.networks[0]).toBe('SOL_SANDBOX');
  expect(found.networks).toContain('SOL_MAINNET');
  expect(found.unknown).toEqual([]);
  expect(found.movements).toEqual([
    { asset_id: sandbox.SOL.assetId, amount: '0.5', amount_base_units: '500000000', destination },
    {
      asset_id: usdc.id,
      contract: base58.encode(usdc.mint),
      amount: '7',
      amount_base_units: '7000000',
      destination: null,
      token_account: destination,
    },
    { asset_id: null, amount: null, amount_base_units: '5', destination: null, token_account: destination },
  ]);
  const hidden = await simulate([lamportsTo(1n, { lookup: 0 })], 1);
  expect(hidden.unknown).toEqual(['it moves SOL to whom only an address table says']);
  expect(hidden.movements).toEqual([{ asset_id: null, amount: null, amount_base_units: null, destination: null }]);
});
