// The wire shape of a transaction as ethers has it, which existing callers send without an envelope: any field may be
// null or missing.
import Type, { type Static, type TSchema } from 'typebox';
import { externalId } from '../http/external-id.schema.ts';
import { transaction } from './contract-call.schema.ts';

const { to, chainId, value, data, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, accessList } =
  transaction.properties;

const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

export const evmSendBody = Type.Object(
  {
    to: orNull(to, 'The contract, or whoever gets the value. Contracts are not created this way.'),
    from: orNull(Type.String({ maxLength: 256 }), "The wallet's own address, when it is said."),
    nonce: orNull(nonce, 'Assigned when absent, which is better: the call fails when this is not the next one.'),
    gasLimit: orNull(gasLimit, 'By a trial run when absent.'),
    maxFeePerGas: orNull(maxFeePerGas, 'Wei; the usual one when absent.'),
    maxPriorityFeePerGas: orNull(maxPriorityFeePerGas, 'Wei; the usual one when absent.'),
    value: orNull(value, 'Wei; 0 when absent.'),
    data: orNull(data, 'What the contract is called with, at most 64 KiB.'),
    chainId: orNull(chainId, 'Needed unless one EVM network alone is enabled here.'),
    accessList: orNull(accessList, 'EIP-2930.'),
    external_id: externalId('withdrawal'),
  },
  {
    title: 'EvmSendBody',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '1', chainId: 31337 }],
  },
);
export type EvmSendBody = Static<typeof evmSendBody>;

type Given<Body> = { [Name in keyof Body]: Exclude<Body[Name], null> };

/** What is null is not there. */
export const withoutNulls = <Body extends object>(body: Body): Given<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as Given<Body>;
