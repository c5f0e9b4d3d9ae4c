// Goal: the API's policy and the nodes' see the same in a payload: the chain, every movement, whether there is more to
// it, and the fee; and they cap fees alike. Method: files of vectors, which this test and the node program's
// (mpc/tests/policy_vectors.rs) read. UPDATE_VECTORS=1 writes them anew from the payloads below: then read the diff.
import { readFileSync, writeFileSync } from 'node:fs';
import { base58 } from '@scure/base';
import { encodeFunctionData, erc20Abi, type Hex, serializeTransaction } from 'viem';
import { expect, test } from 'vitest';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { writeOffchain } from '../../domain/payloads/solana-offchain.ts';
import { readDocument } from '../../domain/payloads/typed-data.ts';
import { feeCapOf } from '../../domain/withdrawals/fee-caps.ts';
import { mail } from '../support/api/sign.ts';
import {
  type Instruction,
  keyOf,
  lamportsTo,
  PAYER,
  SOMEBODY,
  solanaMessage,
  uint64,
} from '../support/chains/solana-messages.ts';
import { type Seen, type Shown, seenByApi, wireOf } from '../support/policies/seen-payload.ts';

const file = new URL('../../mpc/vectors/policy.json', import.meta.url);
const capsFile = new URL('../../mpc/vectors/fee-caps.json', import.meta.url);
const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const TOKEN: Hex = `0x${'70'.repeat(20)}`;
const [TOKEN_PROGRAM, BUDGET, LOADER, ASSOCIATED] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'ComputeBudget111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
].map((text) => base58.decode(text)) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];

const evm = (fields: object, type = 'eip1559') => ({
  kind: 'evm_transaction' as const,
  hex: serializeTransaction({ type, chainId: 1, to: ALICE, ...fields } as never),
});
const transfer = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [ALICE, amount] });
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ALICE, 1n] });
const solana = (instructions: Instruction[], tables = 0): Shown => ({
  kind: 'solana_transaction',
  hex: solanaMessage(instructions, tables),
});
const offchain = (text: string): Shown => {
  const [signer, applicationDomain] = [PAYER, keyOf(7)].map((key) => base58.encode(key)) as [string, string];
  const envelope = writeOffchain({ signer, applicationDomain, body: Buffer.from(text) });
  return { kind: 'solana_message', hex: `0x${Buffer.from(envelope).toString('hex')}` };
};
const token = (data: number[], ...accounts: Instruction['accounts'][number][]): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts,
  data: Uint8Array.from(data),
});
const checked = (amount: bigint, mint: Instruction['accounts'][number] = keyOf(7)) =>
  token([12, ...uint64(amount), 6], keyOf(3), mint, SOMEBODY, PAYER);
const budget = (...data: number[]): Instruction => ({ program: BUDGET, accounts: [], data: Uint8Array.from(data) });
const typed = (document: object): Shown => ({ kind: 'evm_typed_data', typedData: readDocument(document).document });
const safe = (fields: object, domain: object = { chainId: 1, verifyingContract: TOKEN }, more: object = {}): Shown =>
  typed({
    types: {
      SafeTx: Object.entries({
        to: 'address',
        value: 'uint256',
        data: 'bytes',
        operation: 'uint8',
        safeTxGas: 'uint256',
        baseGas: 'uint256',
        gasPrice: 'uint256',
        gasToken: 'address',
        refundReceiver: 'address',
        nonce: 'uint256',
        ...more,
      }).map(([name, type]) => ({ name, type })),
    },
    primaryType: 'SafeTx',
    domain,
    message: {
      to: ALICE,
      value: '5',
      data: '0x',
      operation: '0',
      safeTxGas: '0',
      baseGas: '0',
      gasPrice: '0',
      gasToken: `0x${'00'.repeat(20)}`,
      refundReceiver: `0x${'00'.repeat(20)}`,
      nonce: '1',
      ...fields,
    },
  });

const payloads: Record<string, Shown> = {
  'a transfer of the coin': evm({ value: 5n }),
  'a transfer of nothing': evm({}),
  'a transfer with a fee': evm({ value: 5n, gas: 21_000n, maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }),
  'a transfer with a fee, in the older form': evm({ value: 5n, gas: 21_000n, gasPrice: 30n }, 'legacy'),
  'a fee of more than 128 bits': evm({ value: 5n, gas: 2n ** 40n, maxFeePerGas: 2n ** 100n }),
  'a transfer of the coin on another chain, in the older form': evm(
    { value: 5n, chainId: 31337, gasPrice: 1n },
    'legacy',
  ),
  'a transfer of the coin before EIP-155': evm({ value: 5n, chainId: undefined, gasPrice: 1n }, 'legacy'),
  'a transfer of the coin with an access list (EIP-2930)': evm({ value: 5n, gasPrice: 1n }, 'eip2930'),
  'a transfer of more than 128 bits': evm({ value: 2n ** 130n }),
  'a transfer of a token': evm({ to: TOKEN, data: transfer(7n) }),
  'a transfer of a token with coins beside it': evm({ to: TOKEN, data: transfer(7n), value: 1n }),
  'a transfer of a token with a byte more': evm({ to: TOKEN, data: `${transfer(7n)}00` }),
  'an approval': evm({ to: TOKEN, data: approve }),
  'an unknown call with coins': evm({ to: TOKEN, data: '0x12345678', value: 3n }),
  'a contract that is created': evm({ to: undefined, data: '0x6000' }),
  'a type that is not read': { kind: 'evm_transaction', hex: `0x03${evm({ value: 5n }).hex.slice(4)}` },
  'a byte after a transaction': { kind: 'evm_transaction', hex: `${evm({ value: 5n }).hex}00` },
  'a message': { kind: 'evm_message', hex: `0x${Buffer.from('Hello').toString('hex')}` },
  'a message that is a digest': { kind: 'evm_message', hex: `0x${'ab'.repeat(32)}` },
  'a raw digest': { kind: 'raw_digest', hex: `0x${'ab'.repeat(32)}` },
  'a message on Solana': { kind: 'solana_message', hex: `0x${Buffer.from('Hello').toString('hex')}` },
  'a message on Solana that is a digest': {
    kind: 'solana_message',
    hex: `0x${Buffer.from('ab'.repeat(32)).toString('hex')}`,
  },
  'an off-chain message': offchain('Sign in, Bob'),
  'an off-chain message that is a digest': offchain('ab'.repeat(32)),
  'a transfer of SOL': solana([lamportsTo(5n)]),
  'two transfers of SOL': solana([lamportsTo(100_000_000_000n), lamportsTo(1_000_000n, keyOf(4))]),
  'a transfer of SOL to an address of a lookup table': solana([lamportsTo(5n, { lookup: 0 })], 1),
  'a transfer of SOL beside a lookup table that nothing names': solana([lamportsTo(5n)], 1),
  'a transfer of SOL with prices': solana([budget(2, 1, 2, 3, 4), budget(3, ...uint64(9n)), lamportsTo(5n)]),
  'a transfer of SOL with a price of the usual units': solana([budget(3, ...uint64(9_000_000n)), lamportsTo(5n)]),
  'a new token account': solana([{ program: ASSOCIATED, accounts: [PAYER, keyOf(3)], data: Uint8Array.of(1) }]),
  'an older price, which names a fee of its own': solana([budget(0, ...uint64(9n)), lamportsTo(5n)]),
  'a transfer of a token on Solana': solana([checked(7n)]),
  'two transfers of a token on Solana': solana([checked(6n), checked(6n)]),
  'a transfer of a token whose mint a lookup table names': solana([checked(7n, { lookup: 0 })], 1),
  'the older transfer of a token, which does not name it': solana([
    token([3, ...uint64(7n)], keyOf(3), SOMEBODY, PAYER),
  ]),
  'a transfer of SOL and an approval': solana([lamportsTo(5n), token([4, ...uint64(1n)], keyOf(3), SOMEBODY, PAYER)]),
  'a token account that is closed': solana([token([9], keyOf(3), SOMEBODY, PAYER)]),
  'an upgrade of a program': solana([{ program: LOADER, accounts: [SOMEBODY], data: Uint8Array.of(3, 0, 0, 0) }]),
  'a program that nobody knows': solana([{ program: keyOf(9), accounts: [PAYER], data: Uint8Array.of(1) }]),
  'a Safe that sends coins': safe({}),
  'a Safe that sends coins, on any chain': safe({}, { verifyingContract: TOKEN }),
  'a Safe that sends a token': safe({ to: TOKEN, value: '0', data: transfer(7n) }),
  'a Safe that runs foreign code': safe({ operation: '1' }),
  'a Safe that pays who sends it': safe({ gasPrice: '1' }),
  'a Safe that names a spender': safe({ spender: ALICE }, { chainId: 1 }, { spender: 'address' }),
  'typed data that nobody named': typed(mail),
};

interface Vector extends Seen {
  name: string;
  /** Borsh, as the nodes get it. */
  payload: string;
}

/**
 * Of a whole fee, in base units: of the EVM chains by chain id, of those that the service does not know, and of the
 * others.
 */
function feeCaps() {
  const cap = (network: Parameters<typeof feeCapOf>[0]) => String(feeCapOf(network).feeBaseUnits);
  const evmChains = networkSeed.flatMap((network) =>
    network.chainId === null ? [] : [[network.chainId, cap(network)] as const],
  );
  const other = (addressType: 'evm' | 'sol' | 'btc', nativeCurrency: string) =>
    cap({ internalCode: '', addressType, nativeCurrency });
  return {
    evm: Object.fromEntries(evmChains),
    evm_others: other('evm', 'OTHER'),
    solana: other('sol', 'SOL'),
    bitcoin: other('btc', 'BTC'),
  };
}

if (process.env['UPDATE_VECTORS'] === '1') {
  const vectors = Object.entries(payloads).map(
    ([name, shown]): Vector => ({ name, payload: wireOf(shown), ...seenByApi(shown) }),
  );
  writeFileSync(file, `${JSON.stringify(vectors, null, 1)}\n`);
  writeFileSync(capsFile, `${JSON.stringify(feeCaps(), null, 1)}\n`);
}
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

test('the caps of fees are those of the nodes', () => {
  expect(JSON.parse(readFileSync(capsFile, 'utf8'))).toEqual(feeCaps());
});

test('each payload has a vector', () => {
  expect(vectors.map(({ name }) => name)).toEqual(Object.keys(payloads));
});

test.each(vectors)('$name', ({ name, payload, ...seen }) => {
  const shown = payloads[name] as Shown;
  expect(wireOf(shown)).toBe(payload);
  expect(seenByApi(shown)).toEqual(seen);
});
