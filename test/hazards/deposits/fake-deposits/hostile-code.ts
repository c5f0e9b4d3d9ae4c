// Programs for an EVM node that claim deposits, or hide them, beyond the contracts of
// test/support/chains/evm-contracts.ts.
import { type Address, concatHex, type Hex, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Anvil } from '../../../support/chains/anvil.ts';
import { assemble } from '../../../support/chains/evm-contracts.ts';

export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Of a `transfer`: its claim. */
const logIt = `0x24 CALLDATALOAD 0x00 MSTORE 0x04 CALLDATALOAD CALLER ${TRANSFER} 0x20 0x00 LOG3`;
const answer = (word: number) => `${toHex(word, { size: 1 })} 0x00 MSTORE 0x20 0x00 RETURN`;

const BALANCE_OF = '0x70a08231';
const isBalanceOf = `0x00 CALLDATALOAD 0xe0 SHR ${BALANCE_OF} EQ @balanceOf JUMPI`;

/** Gives the recipient of a `transfer` so much, out of nothing. */
const tokenThat = (gives: string, logs: string, answers = 1) => `
  ${isBalanceOf}
  ${gives} 0x04 CALLDATALOAD SLOAD ADD 0x04 CALLDATALOAD SSTORE
  ${logs} ${answer(answers)}
balanceOf: 0x04 CALLDATALOAD SLOAD 0x00 MSTORE 0x20 0x00 RETURN`;

/** All calldata from `offset` on, to the beginning of the memory; leaves its size on the stack. */
const copyFrom = (offset: string) =>
  `${offset} CALLDATASIZE SUB ${offset} CALLDATASIZE SUB ${offset} 0x00 CALLDATACOPY`;

const programs = {
  /** Logs a Transfer, moves nothing and answers `false`. */
  falseToken: tokenThat('0x00', logIt, 0),
  /** Answers `false`, and that is all. */
  silentFalseToken: tokenThat('0x00', '', 0),
  /** Moves the amount once and logs it twice. */
  doubleLogToken: tokenThat('0x24 CALLDATALOAD', `${logIt} ${logIt}`),
  /** Moves one unit, whatever it logs. */
  inflatingToken: tokenThat('0x01', logIt),
  /** calldata: 3 or 4, four topics, data: logs just that. Every balance is 0. */
  logger: `
    ${isBalanceOf}
    0x00 CALLDATALOAD 0x04 EQ @four JUMPI
    0x60 CALLDATALOAD 0x40 CALLDATALOAD 0x20 CALLDATALOAD ${copyFrom('0xa0')} 0x00 LOG3 STOP
  four: 0x80 CALLDATALOAD 0x60 CALLDATALOAD 0x40 CALLDATALOAD 0x20 CALLDATALOAD ${copyFrom('0xa0')} 0x00 LOG4 STOP
  balanceOf: ${answer(0)}`,
  /** These name calldata[0], with the value or without, and give it nothing. */
  delegator: '0x00 0x00 0x00 0x00 0x00 CALLDATALOAD GAS DELEGATECALL STOP',
  callcoder: '0x00 0x00 0x00 0x00 CALLVALUE 0x00 CALLDATALOAD GAS CALLCODE STOP',
  staticCaller: '0x00 0x00 0x00 0x00 0x00 CALLDATALOAD GAS STATICCALL STOP',
  /** Leaves all that it has to calldata[0]. */
  selfDestructor: '0x00 CALLDATALOAD SELFDESTRUCT',
  /**
   * calldata: target, way, payload. Calls the target with payload and value; by way 1 in a call that is undone
   * afterwards, in a transaction that succeeds; by way 2 all of it is undone.
   */
  caller: `
    0x20 CALLDATALOAD 0x01 EQ @attempt JUMPI
    0x40 CALLDATASIZE SUB 0x40 0x00 CALLDATACOPY
    0x00 0x00 0x40 CALLDATASIZE SUB 0x00 CALLVALUE 0x00 CALLDATALOAD GAS CALL POP
    0x20 CALLDATALOAD 0x02 EQ @fail JUMPI
    STOP
  attempt: CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x02 0x20 MSTORE
    0x00 0x00 CALLDATASIZE 0x00 CALLVALUE ADDRESS GAS CALL POP
    STOP
  fail: 0x00 0x00 REVERT`,
};

/** Puts a program at an address of its own. */
export async function place({ client }: Anvil, name: keyof typeof programs): Promise<Address> {
  const address = privateKeyToAddress(generatePrivateKey());
  await client.setCode({ address, bytecode: assemble(programs[name]) });
  return address;
}

export const word = (value: bigint | Hex): Hex => (typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value));

export const callThrough = (target: Address, way: 0n | 1n | 2n, payload: Hex = '0x'): Hex =>
  concatHex([word(target), word(way), payload]);

export const logCall = (topics: readonly Hex[], data: Hex): Hex =>
  concatHex([word(BigInt(topics.length)), ...[0, 1, 2, 3].map((position) => topics[position] ?? word(0n)), data]);
