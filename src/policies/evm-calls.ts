// Reads what an EVM transaction does, as far as its bytes show it: an amount moves, power is given away, or it cannot
// be told. T8: what is not known to be a transfer is never taken for one. Decides nothing. The nodes read the same
// (mpc/src/chains/evm.rs, evm_call.rs).
import { type Hex, hexToBigInt, size, slice, toFunctionSelector } from 'viem';
import { canonicalEvmAddress } from '../../domain/payloads/canonical-address.ts';
import { readEvmBytes } from '../../domain/payloads/evm-transaction.ts';
import type { CallFacts, Movement, PolicyIntent } from './facts.ts';

/** What a policy is told of a transaction. */
export type TransactionFacts = Pick<PolicyIntent, 'movements' | 'unknown'> & { call: CallFacts };

export interface EvmCall {
  /** Absent when a contract is created. */
  to?: string | null | undefined;
  value?: bigint | undefined;
  data?: Hex | undefined;
}

/** An unsigned transaction in its serialized form. */
export function readEvmTransaction(unsigned: Hex): TransactionFacts {
  const transaction = readEvmBytes(unsigned);
  if (transaction === undefined) return notUnderstood('it is no transaction that can be read');
  const { call, ...moved } = readEvmCall(transaction);
  if (transaction.chainId === undefined) return unknown(moved, 'it names no chain: it is valid on every one');
  if (transaction.type === 'eip7702') return dangerous(moved, 'it lets a contract act for the account (EIP-7702)');
  if (transaction.type !== 'eip4844') return { ...moved, call };
  return unknown(moved, 'it carries blobs (EIP-4844)');
}

export function readEvmCall({ to, value = 0n, data = '0x' }: EvmCall): TransactionFacts {
  const destination = to === null || to === undefined ? undefined : canonicalEvmAddress(to);
  const coins: Movement = { asset: { contract: null }, amountBaseUnits: value, destination };
  if (destination === undefined) return unknown({ movements: value === 0n ? [] : [coins] }, 'it creates a contract');
  if (size(data) === 0) return known([coins], 'it moves the native currency');
  const moved = { movements: value === 0n ? [] : [coins], destination };
  if (size(data) < SELECTOR_BYTES) return unknown(moved, 'it calls a contract without a function');
  const selector = slice(data, 0, SELECTOR_BYTES);
  const transfer = value === 0n ? readTokenTransfer(data) : undefined;
  if (transfer !== undefined)
    return known([{ asset: { contract: destination }, ...transfer }], 'it moves a token', selector);
  const signature = dangerousCalls.get(selector);
  if (signature !== undefined) return dangerous(moved, `it calls ${signature}`, selector);
  return unknown(moved, `it calls an unknown function (${selector})`, selector);
}

/** What is not understood may move anything; `destination`: to whom it is addressed. */
interface Moved {
  movements: readonly Movement[];
  unknown?: readonly string[];
  destination?: string;
}

const named = (selector: string | undefined) => (selector === undefined ? {} : { selector });

const known = (movements: readonly Movement[], because: string, selector?: string): TransactionFacts => ({
  movements,
  unknown: [],
  call: { kind: 'transfer', because, ...named(selector) },
});

const unknown = (moved: Moved, because: string, selector?: string) => beyond('unknown', moved, because, selector);
const dangerous = (moved: Moved, because: string, selector?: string) => beyond('dangerous', moved, because, selector);

export const notUnderstood = (because: string) => unknown({ movements: [] }, because);

/** Of what nothing is read. */
export function notDecoded(because: string): TransactionFacts {
  const { call, ...moved } = notUnderstood(because);
  return { ...moved, call: { ...call, isUnread: true } };
}

function beyond(
  kind: CallFacts['kind'],
  { movements, destination }: Moved,
  because: string,
  selector?: string,
): TransactionFacts {
  const anything: Movement = { asset: undefined, amountBaseUnits: undefined, destination };
  return { movements: [...movements, anything], unknown: [because], call: { kind, because, ...named(selector) } };
}

const SELECTOR_BYTES = 4;
const TRANSFER = toFunctionSelector('transfer(address,uint256)');
const WORD_BYTES = 32;

/** Exactly a call as the standard encodes it: with anything before, between or behind, it is something else. */
function readTokenTransfer(data: Hex): Pick<Movement, 'amountBaseUnits' | 'destination'> | undefined {
  if (size(data) !== SELECTOR_BYTES + 2 * WORD_BYTES || slice(data, 0, SELECTOR_BYTES) !== TRANSFER) return undefined;
  const recipient = slice(data, SELECTOR_BYTES, SELECTOR_BYTES + WORD_BYTES);
  const destination = /^0x0{24}/.test(recipient) ? canonicalEvmAddress(`0x${recipient.slice(26)}`) : undefined;
  if (destination === undefined) return undefined;
  return { destination, amountBaseUnits: hexToBigInt(slice(data, SELECTOR_BYTES + WORD_BYTES)) };
}

/**
 * They let others move what is here, or put others in power: approvals, owners, upgrades, and accounts that run what
 * they are given.
 */
export const dangerousSignatures = [
  'approve(address,uint256)',
  'approve(address,address,uint160,uint48)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  'approveAndCall(address,uint256)',
  'setApprovalForAll(address,bool)',
  'authorizeOperator(address)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'permit(address,address,uint256,uint256,bytes)',
  'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)',
  'transferOwnership(address)',
  'renounceOwnership()',
  'setOwner(address)',
  'changeOwner(address)',
  'setAuthority(address)',
  'grantRole(bytes32,address)',
  'changeAdmin(address)',
  'changeProxyAdmin(address,address)',
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'upgrade(address,address)',
  'upgradeAndCall(address,address,bytes)',
  'setImplementation(address)',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)',
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'execTransactionFromModule(address,uint256,bytes,uint8)',
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)',
  'multiSend(bytes)',
  'delegatecall(address,bytes)',
  'simulateAndRevert(address,bytes)',
  'setup(address[],uint256,address,bytes,address,address,uint256,address)',
  'enableModule(address)',
  'setGuard(address)',
  'setFallbackHandler(address)',
  'addOwnerWithThreshold(address,uint256)',
  'swapOwner(address,address,address)',
  'removeOwner(address,address,uint256)',
  'changeThreshold(uint256)',
];
const dangerousCalls: ReadonlyMap<string, string> = new Map(
  dangerousSignatures.map((signature) => [toFunctionSelector(signature), signature]),
);
