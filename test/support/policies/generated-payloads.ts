// Payloads at random by a seed, as a thief would vary them: transactions and calls, Solana messages with and without
// lookup tables, typed data of standards and near them, most of them almost right. Each is one that the API accepts.
import { base58 } from '@scure/base';
import { bytesToHex, encodeFunctionData, erc20Abi, type Hex, serializeTransaction } from 'viem';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import { readDocument } from '../../../domain/payloads/typed-data.ts';
import { type Instruction, keyOf, PAYER, SYSTEM_PROGRAM, solanaMessage, uint64 } from '../chains/solana-messages.ts';
import type { Shown } from './seen-payload.ts';

/** mulberry32: small, and the same everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.below(256));
  }

  isOneIn(many: number): boolean {
    return this.below(many) === 0;
  }

  amount(): bigint {
    return this.oneOf([
      0n,
      1n,
      BigInt(this.below(1e9)),
      10n ** BigInt(this.below(70)),
      2n ** 128n,
      2n ** 256n - 1n,
      2n ** 256n,
    ]);
  }
}

export function generatedPayload(random: Random): Shown {
  for (;;) {
    const made = makeOne(random);
    if (made !== undefined) return made;
  }
}

function makeOne(random: Random): Shown | undefined {
  const kind = random.below(100);
  try {
    if (kind < 50) return { kind: 'evm_transaction', hex: evmTransaction(random) };
    if (kind < 82) return { kind: 'solana_transaction', hex: solana(random) };
    if (kind < 97) return { kind: 'evm_typed_data', typedData: readDocument(typedData(random)).document };
    if (kind < 99) return { kind: 'evm_message', hex: bytesToHex(random.bytes(random.oneOf([0, 5, 31, 32, 33]))) };
    return { kind: 'raw_digest', hex: bytesToHex(random.bytes(32)) };
  } catch {
    // The API would have refused it.
    return undefined;
  }
}

const addressOf = (random: Random): Hex => bytesToHex(random.isOneIn(40) ? new Uint8Array(20) : random.bytes(20));

function callData(random: Random): Hex {
  const transfer = () =>
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [addressOf(random), random.amount() % 2n ** 256n],
    });
  const selectors: Hex[] = [
    '0x095ea7b3',
    '0x23b872dd',
    '0x39509351',
    '0xa22cb465',
    '0x6a761202',
    '0x3659cfe6',
    '0xd505accf',
  ];
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return '0x';
    case 3:
    case 4:
      return transfer();
    case 5:
      return mutated(random, transfer());
    case 6:
      return `${random.oneOf(selectors)}${bytesToHex(random.bytes(32 * random.below(5))).slice(2)}`;
    default:
      return bytesToHex(random.bytes(random.below(80)));
  }
}

function evmTransaction(random: Random): Hex {
  const accessList = random.isOneIn(4)
    ? [{ address: addressOf(random), storageKeys: [bytesToHex(random.bytes(32))] }]
    : [];
  const common = {
    chainId: random.oneOf([1, 137, 31337, 2 ** 40]),
    nonce: random.below(1000),
    gas: random.oneOf([0n, 21_000n, 2n ** 63n, 2n ** 64n, random.amount()]),
    value: random.oneOf([0n, 0n, random.amount()]),
    data: callData(random),
    ...(random.isOneIn(20) ? {} : { to: addressOf(random) }),
  };
  const price = random.amount() % 2n ** 257n;
  const blobs = { blobVersionedHashes: [`0x01${'ab'.repeat(31)}`] as Hex[], maxFeePerBlobGas: 1n, sidecars: undefined };
  const authorization = { address: addressOf(random), chainId: 1, nonce: 0, r: keyHex, s: keyHex, yParity: 1 };
  const hex = random.oneOf<() => Hex>([
    () => serializeTransaction({ ...common, type: 'legacy', gasPrice: price }),
    () => serializeTransaction({ ...common, type: 'eip2930', gasPrice: price, accessList }),
    () => serializeTransaction({ ...common, type: 'eip1559', maxFeePerGas: price, accessList }),
    () => serializeTransaction({ ...common, type: 'eip1559', maxFeePerGas: price, maxPriorityFeePerGas: 1n }),
    () => serializeTransaction({ ...common, type: 'eip4844', maxFeePerGas: price, ...blobs } as never),
    () => serializeTransaction({ ...common, type: 'eip7702', authorizationList: [authorization] } as never),
  ])();
  const made = random.isOneIn(3) ? mutated(random, hex) : hex;
  // The nodes take nothing else for a transaction, and the API shows it as a digest.
  if (/^0x(19|[89ab]|$)/.test(made)) throw new Error('no transaction');
  return made;
}

const keyHex: Hex = `0x${'01'.repeat(32)}`;

/** One byte other, more or fewer; the first ones come often: there lie lengths and types. */
function mutated(random: Random, hex: Hex): Hex {
  const bytes = [...Buffer.from(hex.slice(2), 'hex')];
  const at = random.below(random.isOneIn(2) ? Math.min(bytes.length, 12) : bytes.length);
  const byte = random.oneOf([0, 1, 0x7f, 0x80, 0x81, 0xc0, 0xff, random.below(256)]);
  bytes.splice(at, random.oneOf([0, 1, 1, 1]), ...(random.isOneIn(4) ? [] : [byte]));
  return bytesToHex(Uint8Array.from(bytes));
}

const programs = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'ComputeBudget111111111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
].map((text) => base58.decode(text));
const [TOKEN, TOKEN_2022, , BUDGET] = programs as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];

function solana(random: Random): Hex {
  const tables = random.isOneIn(4) ? 1 + random.below(2) : 0;
  const instructions = Array.from({ length: 1 + random.below(4) }, () => instruction(random, tables));
  const hex = solanaMessage(instructions, tables);
  const made = random.isOneIn(8) ? mutated(random, hex) : hex;
  requiredSigners(Buffer.from(made.slice(2), 'hex'));
  return made;
}

function instruction(random: Random, tables: number): Instruction {
  const amount = uint64(BigInt(random.below(2 ** 32)));
  const account = () => {
    if (tables > 0 && random.isOneIn(6)) return { lookup: random.below(2 * tables) };
    return random.isOneIn(8) ? PAYER : keyOf(2 + random.below(6));
  };
  const accounts = Array.from({ length: random.oneOf([0, 1, 2, 3, 3, 4, 4, 4]) }, account);
  const near = (data: Uint8Array) =>
    random.isOneIn(6) ? random.oneOf([data.slice(0, -1), Uint8Array.of(...data, 0)]) : data;
  switch (random.below(6)) {
    case 0:
    case 1:
      return {
        program: SYSTEM_PROGRAM,
        accounts,
        data: near(Uint8Array.of(random.oneOf([2, 2, 2, 4, 1, 11]), 0, 0, 0, ...amount)),
      };
    case 2:
    case 3:
      return { program: random.oneOf([TOKEN, TOKEN_2022]), accounts, data: near(tokenData(random, amount)) };
    case 4:
      return {
        program: BUDGET,
        accounts: [],
        data: near(Uint8Array.of(random.below(5), ...random.bytes(random.oneOf([4, 8])))),
      };
    default: {
      const program = random.oneOf([...programs, SYSTEM_PROGRAM, keyOf(9)]);
      return {
        program,
        accounts,
        data: random.oneOf([new Uint8Array(), Uint8Array.of(random.below(12)), random.bytes(random.below(14))]),
      };
    }
  }
}

function tokenData(random: Random, amount: Uint8Array): Uint8Array {
  return random.oneOf([
    Uint8Array.of(3, ...amount),
    Uint8Array.of(12, ...amount, 6),
    Uint8Array.of(12, ...amount, 6),
    Uint8Array.of(random.below(30), ...amount),
  ]);
}

function typedData(random: Random): object {
  const chainId = random.isOneIn(4) ? {} : { chainId: random.oneOf([1, 31337]) };
  const domain = { name: 'Any', ...chainId, ...(random.isOneIn(5) ? {} : { verifyingContract: addressOf(random) }) };
  const safe: Record<string, string> = {
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
  };
  if (random.isOneIn(4)) delete safe[random.oneOf(Object.keys(safe))];
  if (random.isOneIn(6))
    safe[random.oneOf(Object.keys(safe))] = random.oneOf(['string', 'uint256', 'bytes', 'address', 'Other', 'uint8[]']);
  if (random.isOneIn(12)) safe[random.oneOf(['spender', 'extra'])] = 'address';
  const authorized = { from: 'address', to: 'address', value: 'uint256', validAfter: 'uint256' };
  const [primaryType, fields] = random.oneOf<[string, Record<string, string>]>([
    ...Array.from({ length: 6 }, (): [string, Record<string, string>] => ['SafeTx', safe]),
    [
      random.oneOf(['Permit', 'PermitSingle', 'Order', 'safetx', 'SafeTX', 'SafeMessage']),
      { spender: 'address', value: 'uint256' },
    ],
    [random.oneOf(['TransferWithAuthorization', 'ReceiveWithAuthorization', 'CancelWithAuthorization']), authorized],
    ['ForwardRequest', { from: 'address', to: 'address', value: 'uint256', data: 'bytes' }],
    ['MetaTransaction', { nonce: 'uint256', from: 'address', functionSignature: 'bytes' }],
    ['Mail', { contents: 'string', other: random.oneOf(['Other', 'string']) }],
  ]);
  const others = random.oneOf<Record<string, object>>([
    {},
    { Other: [{ name: 'x', type: 'uint256' }] },
    { MyPermit: [{ name: 'x', type: 'uint256' }] },
  ]);
  const types = { ...others, [primaryType]: Object.entries(fields).map(([name, type]) => ({ name, type })) };
  const message = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, valueOf(random, name, type)]));
  return { types, primaryType, domain, message };
}

function valueOf(random: Random, name: string, type: string): unknown {
  if (type === 'address') return addressOf(random);
  if (type === 'bytes') return callData(random);
  if (type === 'string') return random.oneOf(['', '0', 'text']);
  if (type === 'Other') return { x: '0' };
  if (type.endsWith('[]')) return [];
  if (name === 'operation' || name === 'gasPrice') return random.oneOf(['0', '0', '0', '1', '2']);
  return type === 'uint8' ? '0' : String(random.amount() % 2n ** 256n);
}
