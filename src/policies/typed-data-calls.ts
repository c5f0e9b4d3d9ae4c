// Reads what signed typed data lets somebody do, where that is known: spend what is here, or have a contract called. Decides nothing.
import type { Hex } from 'viem';
import { canonicalEvmAddress } from '../../payloads/canonical-address.ts';
import type { TypedData } from '../../payloads/typed-data.ts';
import { type EvmCall, readEvmCall } from './evm-calls.ts';
import type { CallFacts, PolicyIntent, TypedDataFacts } from './facts.ts';

export type DocumentFacts = Pick<PolicyIntent, 'contract' | 'amountBaseUnits' | 'destination' | 'call'> & {
  typedData: TypedDataFacts;
};

type Power = Omit<DocumentFacts, 'typedData'>;

/** A document as payloads/typed-data.ts has read it: integers are decimal text, hex is in lower case. */
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
function orUnknown(read: () => Power): Power {
  try {
    return read();
  } catch {
    return { call: { kind: 'unknown', because: 'it has the name of a standard and not its form' } };
  }
}

function readPower(document: TypedData): Power {
  const { primaryType, message } = document;
  if (isPermit(document)) return { call: { kind: 'dangerous', because: `it lets another spend (${primaryType})` } };
  const values = message as Record<string, string | undefined>;
  switch (primaryType) {
    // EIP-3009: exactly this amount to exactly this address.
    case 'TransferWithAuthorization':
    case 'ReceiveWithAuthorization':
      return readAuthorization(document, values);
    case 'SafeTx':
      return values['operation'] === '0'
        ? through('a Safe', values)
        : { call: { kind: 'dangerous', because: 'it lets a Safe run the code of another contract (delegatecall)' } };
    case 'ForwardRequest':
      return through('a forwarder', values);
    case 'MetaTransaction':
      return { call: { kind: 'unknown', because: 'it has a contract called for the account' } };
    default:
      return {};
  }
}

/** By the names that all such standards use. */
function isPermit({ types, primaryType }: TypedData): boolean {
  const named = (name: string) => /permit/i.test(name);
  return (
    named(primaryType) ||
    Object.entries(types).some(([name, fields]) => named(name) || fields.some((field) => field.name === 'spender'))
  );
}

function readAuthorization({ domain }: TypedData, { to, value }: Record<string, string | undefined>): Power {
  const contract = canonicalEvmAddress(String(domain['verifyingContract']));
  const destination = canonicalEvmAddress(String(to));
  if (contract === undefined || destination === undefined || value === undefined)
    return { call: { kind: 'unknown', because: 'it has a token moved in a way that cannot be read' } };
  const call: CallFacts = { kind: 'transfer', because: 'it lets a token be moved once (EIP-3009)' };
  return { call, contract, destination, amountBaseUnits: BigInt(value) };
}

function through(who: string, { to, value, data }: Record<string, string | undefined>): Power {
  const inner: EvmCall = { to, value: BigInt(value ?? 0), data: (data ?? '0x') as Hex };
  const { call, ...moved } = readEvmCall(inner);
  return { ...moved, call: { ...call, because: `${who} is to act: ${call.because}` } };
}
