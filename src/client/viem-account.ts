// An MPC wallet as an account of viem: everything that viem signs with a local account goes to the service, which is
// shown what it signs.
import {
  type Address,
  bytesToHex,
  type Hex,
  isAddressEqual,
  type LocalAccount,
  parseSignature,
  type SignableMessage,
  serializeTransaction,
  type TypedDataDefinition,
} from 'viem';
import { toAccount } from 'viem/accounts';
import type { CountersignClient, SignedRequest, SignTyped } from './countersign-client.ts';
import type { Pending, WaitOptions } from './until-final.ts';

export interface ViemAccountOptions {
  client: CountersignClient;
  walletId: string;
  /** The network's internal code. Only what is for its chain is signed. */
  network: string;
  /** The wallet's address; of the derived key, with a derivation path. */
  address: Address;
  derivationPath?: string;
  wait?: WaitOptions;
}

export function toViemAccount({
  client,
  walletId,
  network,
  address,
  derivationPath,
  wait,
}: ViemAccountOptions): LocalAccount {
  const common = {
    network_internal_code: network,
    ...(derivationPath === undefined ? {} : { derivation_path: derivationPath }),
  };
  const signatureOf = async (signing: Pending<unknown, SignedRequest>): Promise<Hex> => {
    const signed = await signing.wait(wait);
    if (!isAddressEqual(signed.address as Address, address))
      throw new Error(`The wallet signs as ${signed.address}, and the account was made for ${address}.`);
    return signed.signature;
  };
  return toAccount({
    address,
    signMessage: ({ message }) => signatureOf(client.signMessage(walletId, { ...common, ...readMessage(message) })),
    signTypedData: (document) =>
      signatureOf(
        client.signTyped(walletId, { ...common, typed_data: readTypedData(document as TypedDataDefinition) }),
      ),
    signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
      // A blob transaction is signed without its blobs.
      const signable = transaction.type === 'eip4844' ? { ...transaction, sidecars: false as const } : transaction;
      const unsigned_tx = await serializer(signable);
      const signature = await signatureOf(client.signTransaction(walletId, { ...common, unsigned_tx }));
      return serializer(transaction, parseSignature(signature));
    },
  });
}

function readMessage(message: SignableMessage): { message: string; encoding: 'utf8' | 'hex' } {
  if (typeof message === 'string') return { message, encoding: 'utf8' };
  const { raw } = message;
  return { message: typeof raw === 'string' ? raw : bytesToHex(raw), encoding: 'hex' };
}

/** In plain JSON: big integers as decimal text. */
function readTypedData({ types, primaryType, domain = {}, message }: TypedDataDefinition): SignTyped['typed_data'] {
  const replace = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
  return JSON.parse(JSON.stringify({ types, primaryType, domain, message }, replace)) as SignTyped['typed_data'];
}
