// Puts the dollar of the sandbox on its Ethereum: by CREATE2, so that its address is known before, and the same whoever
// deploys it. Safe to run again: what is there is left as it is.
import { type Address, concatHex, encodeAbiParameters, getContractAddress, type Hex, numberToHex } from 'viem';
import { DOLLAR_SUPPLY, treasuries } from '../../../domain/catalog/sandbox.ts';
import type { Ask } from '../json-rpc.ts';
import { sandboxUsdBytecode } from './sandbox-usd.bytecode.ts';

/**
 * Nick's deterministic deployer (https://github.com/Arachnid/deterministic-deployment-proxy), which every anvil has: 32
 * bytes of salt, then the code.
 */
const DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = numberToHex(0, { size: 32 });
const TREASURY = treasuries.ETHEREUM_SANDBOX.address as Address;

const creation: Hex = concatHex([
  sandboxUsdBytecode,
  encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [TREASURY, DOLLAR_SUPPLY]),
]);

export const dollarAddress: Address = getContractAddress({
  opcode: 'CREATE2',
  from: DEPLOYER,
  salt: SALT,
  bytecode: creation,
});

export async function hasDollar(ask: Ask): Promise<boolean> {
  return (await ask('eth_getCode', dollarAddress, 'latest')) !== '0x';
}

/** On an anvil only, which signs for the treasury itself. True when it was deployed now. */
export async function ensureDollar(ask: Ask): Promise<boolean> {
  if (await hasDollar(ask)) return false;
  await ask('eth_sendTransaction', { from: TREASURY, to: DEPLOYER, data: concatHex([SALT, creation]) });
  await ask('evm_mine');
  if (!(await hasDollar(ask))) throw new Error('the dollar could not be deployed');
  return true;
}
