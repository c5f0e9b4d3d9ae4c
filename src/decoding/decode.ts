// Makes the decoded form of what is to be signed or sent: what it calls, what moves, what it may cost, what is not
// understood of it and where it is valid. Pure: it reads the bytes as the policy reads them, and takes assets from the
// code's own catalogue. Decides nothing.
import { getAddress, isAddress } from 'viem';
import { assetSeed } from '../../domain/catalog/assets.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { formatAmount } from '../../domain/money.ts';
import { readEvmBytes } from '../../domain/payloads/evm-transaction.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import { type EvmCall, notUnderstood, readEvmCall } from '../policies/evm-calls.ts';
import type { MovedAsset, Movement } from '../policies/facts.ts';
import { type PayloadFacts, readPayload } from '../policies/signing-intent.ts';
import { readSolanaMessage, readSolanaSteps } from '../policies/solana-calls.ts';
import { safeCallOf } from '../policies/typed-data-calls.ts';
import type { DecodedContent } from './decoded.schema.ts';
import { readFunction } from './evm-functions.ts';

/** Where it is valid: internal codes, that of the network that was named first. */
export type ValidOn = readonly [string, ...string[]];

type AssetSeed = (typeof assetSeed)[number];

/** What is read of it, before it has its form on the wire. */
interface Read {
  facts: Pick<PayloadFacts, 'movements' | 'unknown' | 'call'>;
  /** Base units of the native currency; undefined for what pays none, and where it is not known. */
  feeMax?: bigint | undefined;
  evmCall?: EvmCall | undefined;
  solanaMessage?: Uint8Array | undefined;
}

/** Never throws: what cannot be read is not understood. */
export function decodePayload(payload: SigningPayload, validOn: ValidOn): DecodedContent {
  try {
    return toDecoded(readSigned(payload), validOn);
  } catch {
    return toDecoded({ facts: notUnderstood('it cannot be read') }, validOn);
  }
}

function readSigned(payload: SigningPayload): Read {
  const { fee: feeMax, ...facts } = readPayload(payload);
  switch (payload.kind) {
    case 'evm_transaction':
      return { facts, feeMax, evmCall: readEvmBytes(payload.hex as `0x${string}`) };
    case 'solana_transaction':
      return { facts, feeMax, solanaMessage: bytesOf(payload.hex) };
    case 'evm_typed_data':
      return { facts, evmCall: safeCallOf(payload.typedData) };
    case 'evm_message':
    case 'solana_message':
    case 'raw_digest':
    case 'bitcoin_input':
      return { facts };
  }
}

/** A transaction that a caller wrote and that is completed, signed and sent here: what stands of it already. */
export type CallToSend = { evmCall: EvmCall } | { solanaMessage: Uint8Array };

export function decodeCall(call: CallToSend, feeMax: bigint | undefined, validOn: ValidOn): DecodedContent {
  const facts = 'evmCall' in call ? readEvmCall(call.evmCall) : readSolanaMessage(call.solanaMessage);
  return toDecoded({ facts, feeMax, ...call }, validOn);
}

function toDecoded({ facts, feeMax, evmCall, solanaMessage }: Read, validOn: ValidOn): DecodedContent {
  const { call, movements, unknown } = facts;
  const assets = assetsOf(validOn[0]);
  const decimals = assets.find(({ isNative }) => isNative)?.decimals;
  const inNative = (name: 'value' | 'max_fee', amount: bigint | undefined) =>
    amount === undefined || decimals === undefined ? {} : { [name]: formatAmount(amount, decimals) };
  return {
    ...(call === undefined ? {} : { kind: call.kind, summary: call.because }),
    ...(evmCall === undefined ? {} : { ...toOf(evmCall), ...inNative('value', evmCall.value ?? 0n) }),
    ...(evmCall?.data === undefined ? {} : readFunction(evmCall.data)),
    ...(solanaMessage === undefined
      ? {}
      : { instructions: readSolanaSteps(solanaMessage).map(({ program, because }) => `${program}: ${because}`) }),
    // What it moves on several networks is another asset on each. Of what is not known at all `unknown` tells.
    movements: movements
      .map((each) => toMovement(each, validOn.length === 1 ? assets : []))
      .filter((each) => Object.keys(each).length > 0),
    ...inNative('max_fee', feeMax),
    unknown: [...unknown],
    networks: [...validOn],
  };
}

const toOf = ({ to }: EvmCall) =>
  to === null || to === undefined ? {} : { to: isAddress(to, { strict: false }) ? getAddress(to) : to };

function toMovement(
  { asset, amountBaseUnits, destination, tokenAccount }: Movement,
  assets: readonly AssetSeed[],
): DecodedContent['movements'][number] {
  const known = asset && assets.find((each) => isAsset(each, asset));
  const contract = asset !== undefined && 'contract' in asset ? asset.contract : null;
  return {
    ...(known === undefined ? {} : { asset_id: known.id, symbol: known.symbol }),
    ...(contract === null ? {} : { contract }),
    ...(known === undefined || amountBaseUnits === undefined
      ? {}
      : { amount: formatAmount(amountBaseUnits, known.decimals) }),
    ...(amountBaseUnits === undefined ? {} : { amount_base_units: amountBaseUnits.toString() }),
    ...(destination === undefined ? {} : { destination }),
    ...(tokenAccount === undefined ? {} : { token_account: tokenAccount }),
  };
}

function isAsset(seed: AssetSeed, asset: MovedAsset): boolean {
  if ('id' in asset) return seed.id === asset.id;
  return asset.contract === null ? seed.isNative : seed.contractAddress === asset.contract;
}

const assetsByCode = new Map(
  networkSeed.map(({ internalCode, id }) => [internalCode, assetSeed.filter(({ networkId }) => networkId === id)]),
);

const assetsOf = (networkCode: string): readonly AssetSeed[] => assetsByCode.get(networkCode) ?? [];

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');
