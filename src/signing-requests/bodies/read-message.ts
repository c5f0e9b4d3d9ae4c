// Reads a text message that is to be signed: on EVM networks by EIP-191 (version 0x45), whose prefix the nodes put on
// themselves, on Solana in an envelope (read-offchain.ts).
import { keccak256, stringToHex, toPrefixedMessage } from 'viem';
import { isWellFormed } from '../../../domain/payloads/text.ts';
import { chooseNetwork, type NetworkChoice } from '../../catalog/choose-network.ts';
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { ApiError } from '../../http/errors.ts';
import { assertFits, type Hex, readHex, sizeOf } from '../../http/payload-fields.ts';
import { readPath } from '../derivation-path.ts';
import { type SigningIntent } from '../signing-intent.ts';
import { validNetworks } from '../valid-networks.ts';
import { readOffchainMessage, type SigningWallet } from './read-offchain.ts';

export type MessageEncoding = 'utf8' | 'hex';

interface MessageBody extends NetworkChoice {
  message: string;
  encoding?: MessageEncoding;
  application_domain?: string;
  derivation_path?: string;
}

/** Without a `wallet` for EVM networks only. */
export async function readMessage(
  networks: NetworkCatalog,
  body: MessageBody,
  wallet?: SigningWallet,
): Promise<SigningIntent> {
  const network = await chooseNetwork(networks, body);
  const hex = body.encoding === 'hex' ? readHex('message', body.message) : readText(body.message);
  assertFits('message', sizeOf(hex));
  if (network.addressType === 'sol' && wallet !== undefined) {
    const content = Buffer.from(hex.slice(2), 'hex');
    return readOffchainMessage(networks, wallet, { network, content, isWhole: body.encoding === 'hex' }, body);
  }
  if (!network.isEvm)
    throw new ApiError(
      'invalid_request',
      `Messages are signed on EVM and Solana networks, and ${network.internalCode} is neither.`,
    );
  if (body.application_domain !== undefined)
    throw new ApiError('invalid_request', 'application_domain is for messages on Solana: leave it out.');
  const unsignedTx = toPrefixedMessage({ raw: hex });
  const payload = { kind: 'evm_message', hex } as const;
  return {
    network,
    validOn: await validNetworks(networks, network, payload),
    content: { payload, signingHash: keccak256(unsignedTx), unsignedTx },
    path: readPath(body),
  };
}

/**
 * How JSON-RPC's `personal_sign` and `eth_sign` write a message: what begins with 0x is bytes, anything else is text.
 * 0x with something that is no whole number of bytes could be meant as either, and is refused.
 */
export function encodingOf(message: string): MessageEncoding {
  return message.startsWith('0x') ? 'hex' : 'utf8';
}

function readText(message: string): Hex {
  if (!isWellFormed(message))
    throw new ApiError('invalid_request', 'message has a lone surrogate, which no UTF-8 text has.');
  return stringToHex(message);
}
