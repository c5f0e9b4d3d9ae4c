// Reads what signed typed data lets somebody do, where that is known: spend what is here, or have a contract called.
// Decides nothing.
import type { Hex } from 'viem';
import { canonicalEvmAddress } from '../../domain/payloads/canonical-address.ts';
import type { TypedData } from '../../domain/payloads/typed-data.ts';
import { type EvmCall, notDecoded, notUnderstood, readEvmCall, type TransactionFacts } from './evm-calls.ts';
import type { CallFacts, TypedDataFacts } from './facts.ts';

export type DocumentFacts = TransactionFacts & { typedData: TypedDataFacts };

/** A document as domain/payloads/typed-data.ts has read it: integers are decimal text, hex is in lower case. */
export function readTypedDocument(document: TypedData): DocumentFacts {
  const { primaryType, domain } = document;
  const { name, chainId, verifyingContract } = domain as Record<string, string | undefined>;
  const typedData = {
    primaryType,
    ...(name === undefined ? {} : { domainName: name }),
    ...(chainId === undefined ? {} : { chainId }),
    ...(verifyingContract === undefined ? {} : { verifyingContract }),
  };
  return { typedData, ...orUnknown(() => readPower(document)) };
}

/** A document may use the names of a standard for something else. */
function orUnknown(read: () => TransactionFacts): TransactionFacts {
  try {
    return read();
  } catch {
    return notUnderstood('it has the name of a standard and not its form');
  }
}

function readPower(document: TypedData): TransactionFacts {
  const { primaryType, message } = document;
  const values = message as Record<string, string | undefined>;
  // EIP-3009: exactly this amount to exactly this address.
  if (/^(Transfer|Receive)WithAuthorization$/.test(primaryType) && !hasPermit(document))
    return readAuthorization(document, values);
  if (hasPermit(document) || hasAuthorization(document)) return dangerous(`it lets another spend (${primaryType})`);
  switch (primaryType) {
    case 'SafeTx':
      return readSafe(document, values);
    case 'ForwardRequest':
      return readForwarded(values);
    default:
      return notDecoded(`what ${primaryType} lets others do is not known`);
  }
}

const dangerous = (because: string): TransactionFacts => withKind('dangerous', notUnderstood(because));

function withKind(kind: CallFacts['kind'], { call, ...moved }: TransactionFacts): TransactionFacts {
  return { ...moved, call: { ...call, kind } };
}

/** By the names that all such standards use. */
function hasPermit({ types, primaryType }: TypedData): boolean {
  const named = (name: string) => /permit/i.test(name);
  return (
    named(primaryType) ||
    Object.entries(types).some(([name, fields]) => named(name) || fields.some((field) => field.name === 'spender'))
  );
}

const hasAuthorization = ({ types }: TypedData) =>
  Object.keys(types).some((name) => name.endsWith('WithAuthorization'));

/**
 * Whoever has the signature may use it when he likes: nobody signs it as a plain transfer, though all of it is known.
 */
function readAuthorization({ domain }: TypedData, { to, value }: Record<string, string | undefined>): TransactionFacts {
  const { verifyingContract } = domain as Record<string, string | undefined>;
  const contract = canonicalEvmAddress(String(verifyingContract));
  const destination = canonicalEvmAddress(String(to));
  if (contract === undefined || destination === undefined || value === undefined)
    return dangerous('it has a token moved in a way that cannot be read');
  const call: CallFacts = { kind: 'dangerous', because: 'it lets others have a token moved once (EIP-3009)' };
  return { call, movements: [{ asset: { contract }, amountBaseUnits: BigInt(value), destination }], unknown: [] };
}

/** What of a Safe's transaction is read, under the types that a Safe gives it. */
const SAFE_FIELDS = { to: 'address', value: 'uint256', data: 'bytes', operation: 'uint8', gasPrice: 'uint256' };

function isTypedAsSafe({ types }: TypedData): boolean {
  const fields = types['SafeTx'] ?? [];
  const isFlat = fields.every(({ type }) => !type.endsWith(']') && types[type] === undefined);
  const isTyped = Object.entries(SAFE_FIELDS).every(([name, type]) =>
    fields.some((field) => field.name === name && field.type === type),
  );
  return isFlat && isTyped;
}

/** The call that a Safe's transaction has it make, for those who approve it; undefined for every other document. */
export function safeCallOf(document: TypedData): EvmCall | undefined {
  if (document.primaryType !== 'SafeTx' || !isTypedAsSafe(document)) return undefined;
  return callOf(document.message as Record<string, string | undefined>);
}

function readSafe(document: TypedData, values: Record<string, string | undefined>): TransactionFacts {
  const { operation, gasPrice } = values;
  if (!isTypedAsSafe(document)) throw new Error('it is no transaction of a Safe');
  if (operation !== '0') return dangerous('it lets a Safe run the code of another contract (delegatecall)');
  const read = through('a Safe', values);
  if (gasPrice === '0') return read;
  const refund = notUnderstood('a Safe is to pay who sends it');
  return {
    movements: [...read.movements, ...refund.movements],
    unknown: [...read.unknown, ...refund.unknown],
    call: read.call.kind === 'transfer' ? refund.call : read.call,
  };
}

/** What else a forwarder does with a request is its own. */
function readForwarded(values: Record<string, string | undefined>): TransactionFacts {
  const { call, movements, unknown } = through('a forwarder', values);
  if (call.kind !== 'transfer') return { call, movements, unknown };
  return { movements, unknown: [call.because], call: { ...call, kind: 'unknown' } };
}

const callOf = ({ to, value, data }: Record<string, string | undefined>): EvmCall => ({
  to,
  value: BigInt(value ?? 0),
  data: (data ?? '0x') as Hex,
});

function through(who: string, values: Record<string, string | undefined>): TransactionFacts {
  const { call, movements, unknown } = readEvmCall(callOf(values));
  const says = (because: string) => `${who} is to act: ${because}`;
  return { movements, unknown: unknown.map(says), call: { ...call, because: says(call.because) } };
}
