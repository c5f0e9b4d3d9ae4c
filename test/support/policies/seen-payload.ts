// What the API's policy sees of a payload, in the spelling of mpc/vectors/policy.json, and the payload as the nodes get
// it.
import { encode } from '../../../activities/mpc/transport/borsh.ts';
import { payload as payloadCodec } from '../../../activities/mpc/transport/wire.ts';
import { wirePayload } from '../../../activities/mpc/verify/payload.ts';
import { decodePayload } from '../../../activities/signing/decode-payload.ts';
import type { SigningContent } from '../../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { chainOf } from '../../../src/policies/chain-of.ts';
import type { Movement } from '../../../src/policies/facts.ts';
import { signingIntent } from '../../../src/policies/signing-intent.ts';

export type Shown = SigningContent['payload'];

export interface Seen {
  chain: string | null;
  movements: { asset: string | null; amount: string; destination: string | null }[];
  unknown: boolean;
  /** What its network may take for it at most; null where that is not known. */
  fee: string | null;
}

const asked = { workspaceId: 'w', walletId: 'w', initiator: 'u', production: true };
const network = { id: 'n', internalCode: 'N' } as unknown as NetworkRow;

/** Only what is known moves here: what is unknown shows as `unknown`. */
export function seenByApi(payload: Shown): Seen {
  const { movements, unknown, call, fee } = signingIntent(asked, [network], payload);
  return {
    chain: spelledChain(payload),
    movements: movements.filter(({ amountBaseUnits }) => amountBaseUnits !== undefined).map(spelled),
    unknown: unknown.length > 0 || (call !== undefined && call.kind !== 'transfer'),
    fee: fee === undefined ? null : atMost(fee),
  };
}

function spelledChain(payload: Shown): string | null {
  const { family, chainId } = chainOf(payload);
  if (family !== 'evm') return family === 'sol' ? 'solana' : (family ?? null);
  return chainId === undefined ? family : `${family}:${chainId}`;
}

const MOST = 2n ** 128n - 1n;
const atMost = (amount: bigint) => String(amount > MOST ? MOST : amount);
const lower = (text: string) => (text.startsWith('0x') ? text.toLowerCase() : text);

function spelled({ asset, amountBaseUnits = 0n, destination, tokenAccount }: Movement): Seen['movements'][number] {
  const contract = asset !== undefined && 'contract' in asset ? (asset.contract ?? 'native') : undefined;
  const to = destination ?? tokenAccount;
  return {
    asset: contract === undefined ? null : lower(contract),
    amount: atMost(amountBaseUnits),
    destination: to === undefined ? null : lower(to),
  };
}

/** As hex, without 0x. */
export function wireOf(payload: Shown): string {
  const curve = payload.kind.startsWith('solana_') ? 'ed25519' : 'secp256k1';
  return Buffer.from(encode(payloadCodec, wirePayload(decodePayload(payload), curve))).toString('hex');
}
