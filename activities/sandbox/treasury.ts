// The sandbox's treasury: makes payments from one sandbox chain's treasury and signs them with a key that everybody
// knows. Sends nothing. It remembers for a moment which nonces and coins it gave out, so that payments made at once do
// not collide; what collides all the same is refused by the chain. Meant for one worker, as `npm start` runs it: two
// that sign the same payment twice over the same nonce in the same moment would have made one transaction of it.
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { toHex } from 'viem';
import { type SandboxCode, treasuries } from '../../domain/catalog/sandbox.ts';
import { type SigningPayload } from '../../domain/signing/signing-payload.ts';
import type { Chain } from '../chains/port/chain.ts';
import type { Asset, FeeQuote, Reservation, ReservedCoin, Transfer } from '../chains/port/transactions.ts';
import { contentOf, digestOf, isSolana } from '../mpc/verify/digest.ts';
import { decodePayload } from '../signing/decode-payload.ts';

/** Plain JSON, so that a history can hold it. */
export interface SignedPayment {
  raw: string;
  txHash: string;
  validUntil?: number;
}

interface Given {
  key: string;
  reservation: Reservation;
  atMs: number;
}

/** A nonce that was given out is with the node by then, which tells of it, or was never sent. */
const NONCE_REMEMBERED_MS = 10_000;
/**
 * A coin that is given out twice for two equal payments makes one transaction of them, and one payment is lost. On a
 * busy machine it takes long until the node knows of the first. Nothing waits for a coin that was never sent.
 */
const COIN_REMEMBERED_MS = 120_000;

export class Treasury {
  readonly #chain: Chain;
  readonly #code: SandboxCode;
  #given: Given[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(code: SandboxCode, chain: Chain) {
    this.#code = code;
    this.#chain = chain;
  }

  /**
   * One after the other. The same `key` gets the same nonce or coins again, unless they were given back. Throws as the
   * chain does.
   */
  sign(key: string, to: string, asset: Asset, amount: bigint): Promise<SignedPayment> {
    const signing = this.#last.then(() => this.#sign(key, { from: treasuries[this.#code].address, to, asset, amount }));
    this.#last = signing.catch(() => {});
    return signing;
  }

  giveBack(key: string): void {
    this.#given = this.#given.filter((each) => each.key !== key);
  }

  async #sign(key: string, transfer: Transfer): Promise<SignedPayment> {
    const chain = this.#chain;
    const guess = await chain.estimateFee(transfer, 'medium');
    const reservation = await this.#reserve(key, transfer, guess);
    const fee = reservation.coins === undefined ? guess : await chain.estimateFee(transfer, 'medium', reservation);
    const { unsigned, payloads, validUntil } = await chain.build(transfer, fee, reservation);
    const privateKey = Buffer.from(treasuries[this.#code].privateKey, 'hex');
    const signatures = payloads.map((payload) => signPayload(payload, privateKey));
    const { raw, txHash } = chain.assemble(unsigned, signatures, publicKeyOf(this.#code, privateKey));
    return { raw, txHash, ...(validUntil === undefined ? {} : { validUntil }) };
  }

  async #reserve(key: string, transfer: Transfer, quote: FeeQuote): Promise<Reservation> {
    const nowMs = Date.now();
    const rememberedMs = this.#chain.model === 'utxo' ? COIN_REMEMBERED_MS : NONCE_REMEMBERED_MS;
    this.#given = this.#given.filter(({ atMs }) => atMs > nowMs - rememberedMs);
    const given = this.#given.find((each) => each.key === key);
    if (given !== undefined) return given.reservation;
    const reservation = await this.#choose(transfer, quote);
    this.#given.push({ key, reservation, atMs: nowMs });
    return reservation;
  }

  async #choose(transfer: Transfer, quote: FeeQuote): Promise<Reservation> {
    const chain = this.#chain;
    switch (chain.model) {
      case 'account': {
        const givenUntil = Math.max(-1, ...this.#given.map(({ reservation }) => reservation.nonce ?? -1));
        return { nonce: Math.max(await chain.nextNonce(transfer.from), givenUntil + 1) };
      }
      case 'utxo': {
        const taken = new Set(this.#given.flatMap(({ reservation }) => (reservation.coins ?? []).map(outpointOf)));
        const { free } = await chain.coins(transfer.from);
        const untaken = free.filter((coin) => !taken.has(outpointOf(coin)));
        return { coins: chain.selectCoins(untaken, transfer, quote) };
      }
      case 'expiring':
        return {};
    }
  }
}

const outpointOf = ({ txHash, index }: ReservedCoin) => `${txHash}:${index}`;

function publicKeyOf(code: SandboxCode, privateKey: Uint8Array): string {
  const bytes = code === 'SOL_SANDBOX' ? ed25519.getPublicKey(privateKey) : secp256k1.getPublicKey(privateKey, true);
  return Buffer.from(bytes).toString('hex');
}

/** As a signing operation shows it: 0x r‖s‖v with v = 27 or 28, or the 64 bytes of ed25519. */
function signPayload(payload: SigningPayload, privateKey: Uint8Array): string {
  const decoded = decodePayload(payload);
  if (isSolana(decoded)) return toHex(ed25519.sign(contentOf(decoded), privateKey));
  const digest = digestOf(decoded);
  const [recovery = 0, ...rs] = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' });
  return toHex(Uint8Array.of(...rs, 27 + recovery));
}
