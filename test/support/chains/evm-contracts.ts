// Contracts that a test puts on an Ethereum node, honest and hostile, written in the EVM's own instructions: no
// compiler is among our tools. A balance lies in the slot of its holder's address.
import { type Address, concatHex, type Hex, numberToHex, size } from 'viem';
import type { Anvil } from './anvil.ts';

export const SUPPLY = 1_000_000n;
const SELECTORS = { balanceOf: '0x70a08231', transfer: '0xa9059cbb' };
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** After a log without topics, so that no Transfer is the first log of its transaction. */
const logTransfer = `
  0x00 0x00 LOG0
  0x24 CALLDATALOAD 0x00 MSTORE
  0x04 CALLDATALOAD CALLER ${TRANSFER} 0x20 0x00 LOG3`;

/**
 * Takes the amount from the caller and gives the recipient what `feePercent` leaves of it. The log tells the whole
 * amount.
 */
const move = (feePercent: number) => `
  0x24 CALLDATALOAD CALLER SLOAD          // amount, balance
  DUP2 DUP2 LT @fail JUMPI
  DUP2 SWAP1 SUB CALLER SSTORE            // amount
  DUP1 ${numberToHex(feePercent, { size: 1 })} MUL 0x64 SWAP1 DIV DUP2 SUB   // amount, amount less the fee
  0x04 CALLDATALOAD SLOAD ADD 0x04 CALLDATALOAD SSTORE POP`;

const token = (transfer: string, balanceOf = '0x04 CALLDATALOAD SLOAD @answer JUMP') => `
  0x00 CALLDATALOAD 0xe0 SHR
  DUP1 ${SELECTORS.balanceOf} EQ @balanceOf JUMPI
  DUP1 ${SELECTORS.transfer} EQ @transfer JUMPI
fail: 0x00 0x00 REVERT
balanceOf: ${balanceOf}
transfer: ${transfer} 0x01 @answer JUMP
answer: 0x00 MSTORE 0x20 0x00 RETURN`;

/**
 * calldata: recipient, way. The value goes on to the recipient; by way 1 in a call that is undone afterwards, in a
 * transaction that succeeds.
 */
const forwarder = `
  0x20 CALLDATALOAD 0x01 EQ @attempt JUMPI
  0x00 0x00 0x00 0x00 CALLVALUE 0x00 CALLDATALOAD GAS CALL POP
  0x20 CALLDATALOAD 0x02 EQ @fail JUMPI
  STOP
attempt: 0x00 CALLDATALOAD 0x00 MSTORE 0x02 0x20 MSTORE
  0x00 0x00 0x40 0x00 CALLVALUE ADDRESS GAS CALL POP
  STOP
fail: 0x00 0x00 REVERT`;

const programs = {
  honestToken: token(move(0) + logTransfer),
  feeToken: token(move(10) + logTransfer),
  /** Says that it moved what it did not. */
  lyingToken: token(logTransfer),
  /** Every balance grows by 1,000 a block. */
  rebasingToken: token(logTransfer, 'NUMBER 0x03e8 MUL @answer JUMP'),
  revertingToken: token('@fail JUMP'),
  /** A log, and a balance that no one gets to know: it spends all gas, reverts with a number, or answers nothing. */
  endlessToken: token(logTransfer, 'again: @again JUMP'),
  muteToken: token(logTransfer, 'NUMBER 0x00 MSTORE 0x20 0x00 REVERT'),
  emptyToken: token(logTransfer, 'STOP'),
  /** Says that its caller took an amount from whomever he names, as the token of an approved spender does. */
  robbedToken: `0x24 CALLDATALOAD 0x00 MSTORE CALLER 0x04 CALLDATALOAD ${TRANSFER} 0x20 0x00 LOG3 STOP`,
  /** Reverts whatever arrives. */
  refuser: '0x00 0x00 REVERT',
  forwarder,
};

/** Mined at once, in a block of its own. The deployer holds the supply. */
export async function deploy({ client }: Anvil, name: keyof typeof programs): Promise<Address> {
  const hash = await client.deployContract({ abi: [], bytecode: creationOf(assemble(programs[name])) });
  await client.mine({ blocks: 1 });
  const { contractAddress } = await client.getTransactionReceipt({ hash });
  if (contractAddress == null) throw new Error(`${name} could not be deployed`);
  return contractAddress;
}

/** Gives the deployer the supply, and leaves the code. */
function creationOf(code: Hex): Hex {
  const start = (lengthBytes: number) =>
    assemble(`${numberToHex(SUPPLY)} CALLER SSTORE
      ${numberToHex(size(code), { size: 2 })} DUP1 ${numberToHex(lengthBytes, { size: 2 })} 0x00 CODECOPY 0x00 RETURN`);
  return concatHex([start(size(start(0))), code]);
}

const OPCODES: Record<string, number> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  LT: 0x10,
  EQ: 0x14,
  SHR: 0x1c,
  ADDRESS: 0x30,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CODECOPY: 0x39,
  NUMBER: 0x43,
  POP: 0x50,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  DUP1: 0x80,
  DUP2: 0x81,
  SWAP1: 0x90,
  LOG0: 0xa0,
  LOG3: 0xa3,
  CALL: 0xf1,
  RETURN: 0xf3,
  REVERT: 0xfd,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  LOG4: 0xa4,
  CALLCODE: 0xf2,
  DELEGATECALL: 0xf4,
  STATICCALL: 0xfa,
  SELFDESTRUCT: 0xff,
};
const JUMPDEST = '0x5b';

/** Hex is pushed as it stands, `name:` marks a place, `@name` pushes it; `//` begins a comment. */
export function assemble(program: string): Hex {
  const words = program
    .replaceAll(/\/\/.*$/gm, '')
    .split(/\s+/)
    .filter(Boolean);
  const places = new Map<string, number>();
  const encode = (): Hex =>
    words.reduce<Hex>((code, word) => {
      if (word.endsWith(':')) {
        places.set(word.slice(0, -1), size(code));
        return concatHex([code, JUMPDEST]);
      }
      return concatHex([code, encodeWord(word, places)]);
    }, '0x');
  encode(); // finds the places; their pushes are of one length
  return encode();
}

function encodeWord(word: string, places: ReadonlyMap<string, number>): Hex {
  if (word.startsWith('@')) return push(numberToHex(places.get(word.slice(1)) ?? 0, { size: 2 }));
  if (word.startsWith('0x')) return push(word as Hex);
  const opcode = OPCODES[word];
  if (opcode === undefined) throw new Error(`no instruction ${word}`);
  return numberToHex(opcode, { size: 1 });
}

/** An odd digit gets its leading zero. */
function push(literal: Hex): Hex {
  const bytes: Hex = literal.length % 2 === 0 ? literal : `0x0${literal.slice(2)}`;
  return concatHex([numberToHex(0x5f + size(bytes), { size: 1 }), bytes]);
}
