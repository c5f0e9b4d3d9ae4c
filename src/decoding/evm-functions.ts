// Reads the function and the arguments out of what an EVM contract is called with, for people. A selector has four
// bytes, and anybody can find a function that has the same: so arguments are shown only where the data is, byte for
// byte, what the known function is called with. Nothing is judged by them (src/policies/evm-calls.ts).
import {
  type AbiFunction,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
  slice,
  toFunctionSelector,
} from 'viem';
import { dangerousSignatures } from '../policies/evm-calls.ts';

/** What contracts are called with most, beside what is dangerous. */
const usualSignatures = [
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'mint(address,uint256)',
  'burn(uint256)',
  'deposit()',
  'deposit(uint256,address)',
  'mint(uint256,address)',
  'withdraw(uint256)',
  'withdraw(uint256,address,address)',
  'redeem(uint256,address,address)',
  'supply(address,uint256,address,uint16)',
  'delegate(address)',
  'multicall(bytes[])',
  'multicall(uint256,bytes[])',
  'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
  'swapExactETHForTokens(uint256,address[],address,uint256)',
  'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
];

interface KnownFunction {
  signature: string;
  abi: AbiFunction;
}

const known: ReadonlyMap<Hex, KnownFunction> = new Map(
  [...usualSignatures, ...dangerousSignatures].map((signature) => [
    toFunctionSelector(signature),
    { signature, abi: parseAbiItem(`function ${signature}`) as AbiFunction },
  ]),
);

export interface ReadFunction {
  method: string;
  /** Of the types that the method names. */
  arguments: string[];
}

const SELECTOR_BYTES = 4;

/** Undefined for an unknown function, and for data that no encoder writes for a known one. `data`: in lower case. */
export function readFunction(data: Hex): ReadFunction | undefined {
  const isCall = (data.length - 2) / 2 >= SELECTOR_BYTES;
  const found = isCall ? known.get(slice(data, 0, SELECTOR_BYTES)) : undefined;
  if (found === undefined) return undefined;
  const { signature, abi } = found;
  const values = argumentsOf(abi, data);
  return values && { method: signature, arguments: values.map(valueText) };
}

function argumentsOf(abi: AbiFunction, data: Hex): readonly unknown[] | undefined {
  try {
    // There are none of a function that takes none, whatever the type says.
    const { args } = decodeFunctionData({ abi: [abi], data }) as { args?: readonly unknown[] };
    return encodeFunctionData({ abi: [abi], functionName: abi.name, args }) === data ? (args ?? []) : undefined;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
  return typeof value === 'bigint' ? value.toString() : text;
}
