// Reads a message that is to be signed on Solana in the envelope of its off-chain message signing: writes the envelope
// for the wallet's own address, or takes one that is whole.
import { base58 } from '@scure/base';
import { formatPath } from '../../../domain/paths.ts';
import { assertSolanaMessage, isOffchain, writeOffchain } from '../../../domain/payloads/solana-offchain.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import type { Seals } from '../../../drizzle/seals/seals.ts';
import { findSealedAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { ApiError } from '../../http/errors.ts';
import { orInvalidRequest } from '../../http/payload-fields.ts';
import { readPath } from '../derivation-path.ts';
import type { SigningIntent } from '../signing-intent.ts';
import { intentOf } from './read-solana-body.ts';

/** Whose address signs. */
export interface SigningWallet {
  db: Database;
  seals: Seals;
  workspaceId: string;
  walletId: string;
}

interface OffchainBody {
  application_domain?: string;
  derivation_path?: string;
}

const KEY_BYTES = 32;
const NO_APPLICATION = base58.encode(new Uint8Array(KEY_BYTES));

/** `content`: the bytes of the text, or with `isWhole` of an envelope. */
export async function readOffchainMessage(
  networks: NetworkCatalog,
  wallet: SigningWallet,
  { network, content, isWhole }: { network: NetworkRow; content: Uint8Array; isWhole: boolean },
  body: OffchainBody,
): Promise<SigningIntent> {
  const message = isWhole ? readWhole(content) : await writeFor(wallet, content, body);
  orInvalidRequest(() => assertSolanaMessage(message));
  const payload = { kind: 'solana_message', hex: `0x${Buffer.from(message).toString('hex')}` } as const;
  const intent = await intentOf(networks, { network_internal_code: network.internalCode }, payload, message);
  return { ...intent, path: readPath(body) };
}

function readWhole(content: Uint8Array): Uint8Array {
  if (isOffchain(content)) return content;
  throw new ApiError(
    'invalid_request',
    'message must be a whole off-chain envelope of Solana (it begins with ff736f6c616e61206f6666636861696e) when encoding is hex: send text with encoding utf8.',
  );
}

async function writeFor(
  { db, seals, workspaceId, walletId }: SigningWallet,
  text: Uint8Array,
  { application_domain: applicationDomain = NO_APPLICATION, derivation_path }: OffchainBody,
): Promise<Uint8Array> {
  const own = await findSealedAddress(db, seals, { workspaceId, id: walletId }, 'sol');
  if (own === undefined)
    throw new ApiError('invalid_state', 'The wallet has no address on Solana yet: wait until it is created.');
  const path = readPath(derivation_path === undefined ? {} : { derivation_path });
  if (path !== undefined && formatPath(path) !== own.derivationPath)
    throw new ApiError(
      'invalid_request',
      `The envelope names who signs it, and only ${own.derivationPath} is known here: leave derivation_path out, or send a whole envelope with encoding hex.`,
    );
  if (!isKey(applicationDomain))
    throw new ApiError('invalid_request', 'application_domain must be 32 bytes in base58.');
  return orInvalidRequest(() => writeOffchain({ signer: own.address, applicationDomain, body: text }));
}

function isKey(text: string): boolean {
  try {
    return base58.decode(text).length === KEY_BYTES;
  } catch {
    return false;
  }
}
