// Goal: the decoded form says what the bytes do, shows arguments only of data that is exactly a call of the known
// function, and claims nothing of what it cannot read. Method: transactions and documents that viem writes, changed in
// one place; whatever bytes there are, it answers.
import * as fc from 'fast-check';
import { encodeFunctionData, type Hex, parseAbi, serializeTransaction } from 'viem';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../domain/payloads/typed-data.ts';
import { payloadKinds } from '../../../domain/statuses.ts';
import { decodeCall, decodePayload } from '../../../src/decoding/decode.ts';
import { readFunction } from '../../../src/decoding/evm-functions.ts';

const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const abi = parseAbi([
  'function transfer(address,uint256)',
  'function multicall(bytes[])',
  'function permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
]);
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [BOB, 1_500_000n] });

describe('arguments', () => {
  test('of lists and structs are JSON text, with numbers as text', () => {
    const permitted = [[[USDC, 5n, 6n, 7n]], BOB, 2n ** 255n] as const;
    const data = encodeFunctionData({ abi, functionName: 'permit', args: [BOB, permitted as never, '0x1234'] });
    expect(readFunction(data)).toEqual({
      method: 'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
      arguments: [BOB, JSON.stringify([[[USDC, '5', 6, 7]], BOB, String(2n ** 255n)]), '0x1234'],
    });
    const calls = encodeFunctionData({ abi, functionName: 'multicall', args: [[transfer, '0x']] });
    expect(readFunction(calls)?.arguments).toEqual([JSON.stringify([transfer, '0x'])]);
  });

  test.each<[string, Hex]>([
    ['a byte behind', `${transfer}00`],
    ['a byte less', transfer.slice(0, -2) as Hex],
    ['a recipient of more than 20 bytes', transfer.replace('a9059cbb00', 'a9059cbb01') as Hex],
    ['an unknown selector', `0x12345678${transfer.slice(10)}`],
    ['less than a selector', '0xa9059c'],
    ['nothing', '0x'],
  ])('none are shown of %s', (_name, data) => {
    expect(readFunction(data)).toBeUndefined();
  });
});

describe('what moves', () => {
  const transaction = (fields: object) =>
    ({
      kind: 'evm_transaction',
      hex: serializeTransaction({ type: 'eip1559', chainId: 1, to: USDC, gas: 50_000n, ...fields } as never),
    }) as const;

  test('has symbol and amount by the catalogue of its network, and base units alone where that has none', () => {
    const payload = transaction({ data: transfer });
    expect(decodePayload(payload, ['ETHEREUM_MAINNET']).movements).toMatchObject([
      { symbol: 'USDC', amount: '1.5', amount_base_units: '1500000', destination: BOB, contract: USDC },
    ]);
    const [elsewhere] = decodePayload(payload, ['BASE_MAINNET']).movements;
    expect(elsewhere).toEqual({ contract: USDC, amount_base_units: '1500000', destination: BOB });
  });

  test('is no known asset where the signature is valid on several networks', () => {
    const [movement] = decodePayload(transaction({ data: transfer }), ['ETHEREUM_MAINNET', 'BASE_MAINNET']).movements;
    expect(movement).not.toHaveProperty('symbol');
  });

  test('a contract that is created has no `to`', () => {
    const decoded = decodePayload(transaction({ to: undefined, data: '0x6000' }), ['ETHEREUM_MAINNET']);
    expect(decoded).toMatchObject({ kind: 'unknown', unknown: ['it creates a contract'], value: '0' });
    expect(decoded).not.toHaveProperty('to');
  });

  test('the fee of a call that is still to be completed is its bound, or not known', () => {
    const call = { evmCall: { to: BOB, value: 1n, data: '0x' as const } };
    expect(decodeCall(call, 21_000n, ['ETHEREUM_SANDBOX'])).toMatchObject({ max_fee: '0.000000000000021' });
    expect(decodeCall(call, undefined, ['ETHEREUM_SANDBOX'])).not.toHaveProperty('max_fee');
  });
});

test('the call that a Safe is to make is decoded as that call', () => {
  const fields = {
    to: 'address',
    value: 'uint256',
    data: 'bytes',
    operation: 'uint8',
    gasPrice: 'uint256',
  };
  const safe = (message: object, types = fields) =>
    decodePayload(
      {
        kind: 'evm_typed_data',
        typedData: readDocument({
          types: { SafeTx: Object.entries(types).map(([name, type]) => ({ name, type })) },
          primaryType: 'SafeTx',
          domain: { chainId: 1, verifyingContract: BOB },
          message: { to: USDC, value: '0', data: transfer, operation: '0', gasPrice: '0', ...message },
        }).document,
      },
      ['ETHEREUM_MAINNET'],
    );
  expect(safe({})).toMatchObject({ to: USDC, method: 'transfer(address,uint256)', value: '0' });
  expect(safe({ operation: '1' })).toMatchObject({
    kind: 'dangerous',
    unknown: [expect.stringMatching(/delegatecall/)],
  });
  const disguised = safe({ to: '5' }, { ...fields, to: 'uint256' });
  expect(disguised).toMatchObject({ unknown: ['it has the name of a standard and not its form'] });
  expect(disguised).not.toHaveProperty('to');
});

test('whatever the bytes are, it answers, and never that a thing it cannot read is a transfer', () => {
  const kinds = payloadKinds.filter((kind) => kind !== 'evm_typed_data');
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 200 }), (kind, bytes) => {
      const hex = `0x${Buffer.from(bytes).toString('hex')}`;
      const decoded = decodePayload({ kind, hex }, ['ETHEREUM_MAINNET']);
      expect(decoded.networks).toEqual(['ETHEREUM_MAINNET']);
      if (kind === 'evm_transaction' || kind === 'solana_transaction') expect(decoded.kind).not.toBe('transfer');
      if (kind === 'raw_digest') expect(decoded.unknown).toHaveLength(1);
    }),
  );
});
