// A funded account that sends through the port as the product does: quote, build, sign the payload, assemble. Its key
// is its own, no share of any.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Address, type Hex, hexToBytes, keccak256, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import type {
  Call,
  FeeQuote,
  SignedTransaction,
  Transfer,
  UnsignedTransaction,
} from '../../../activities/chains/port/transactions.ts';
import type { Anvil } from './anvil.ts';

export interface EvmSender {
  address: Address;
  publicKey: Hex;
  signPayload(unsigned: UnsignedTransaction): Promise<Hex>;
  prepare(what: Omit<Transfer, 'from'> | Omit<Call, 'from'>, nonce: number, fee?: FeeQuote): Promise<SignedTransaction>;
}

export async function evmSender(chain: Chain, { client }: Anvil): Promise<EvmSender> {
  const privateKey = generatePrivateKey();
  const address = privateKeyToAddress(privateKey);
  const publicKey: Hex = `0x${Buffer.from(secp256k1.getPublicKey(hexToBytes(privateKey))).toString('hex')}`;
  await client.setBalance({ address, value: parseEther('10') });
  const signPayload = async ({ payloads: [payload] }: UnsignedTransaction) => {
    if (payload?.kind !== 'evm_transaction') throw new Error('no EVM transaction to sign');
    return sign({ hash: keccak256(payload.hex as Hex), privateKey, to: 'hex' });
  };
  const prepare: EvmSender['prepare'] = async (rest, nonce, fee) => {
    const what = { from: address, ...rest };
    const unsigned = await chain.build(what, fee ?? (await chain.estimateFee(what, 'medium')), { nonce });
    return chain.assemble(unsigned.unsigned, [await signPayload(unsigned)], publicKey);
  };
  return { address, publicKey, signPayload, prepare };
}
