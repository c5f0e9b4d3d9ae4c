// The wire shapes of a transaction that is signed and broadcast as a contract call.
import Type, { type Static } from 'typebox';
import { callerChoices, withdrawalRecord } from './withdrawals.schema.ts';

/** JSON integers, and what does not fit them as decimal text or 0x hex. */
const quantity = (description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: '^(0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$' }),
    ],
    { description },
  );
const hex = (pattern: string, description: string) => Type.String({ pattern, description });
/** What is wrong with one the address itself says best (require-address.ts). */
const address = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

const transactionFields = {
  to: address('The contract, or whoever gets the value. Contracts are not created this way.'),
  chainId: quantity('EIP-155 id of a network that is enabled here.'),
  value: Type.Optional(quantity('Wei; 0 when absent.')),
  data: Type.Optional(
    hex('^0x([0-9a-fA-F]{2})*$', 'What the contract is called with, at most 64 KiB; `0x` when absent.'),
  ),
  nonce: Type.Optional(quantity('The call fails when this is not the next one of the wallet. Better left out.')),
  gasLimit: Type.Optional(quantity('By a trial run when absent.')),
  maxFeePerGas: Type.Optional(quantity('Wei; by `fee_level` when absent.')),
  maxPriorityFeePerGas: Type.Optional(quantity('Wei; by `fee_level` when absent.')),
  accessList: Type.Optional(
    Type.Array(
      Type.Object(
        {
          address: address('A contract.'),
          storageKeys: Type.Array(hex('^0x[0-9a-fA-F]{64}$', '32 bytes.'), { maxItems: 100 }),
        },
        { title: 'AccessListEntry', additionalProperties: false },
      ),
      { maxItems: 100 },
    ),
  ),
};
export const transaction = Type.Object(transactionFields, { title: 'EvmCall', additionalProperties: false });

const { fee_level, max_fee, notes, external_id } = callerChoices;

/** What SDK callers also send to the routes for digests. Told apart by `transaction`. */
export const contractCallBody = Type.Object(
  {
    transaction,
    network_internal_code: Type.Optional(
      Type.String({ minLength: 1, description: 'Not needed, since chainId says it; must agree with it.' }),
    ),
    fee_level,
    max_fee,
    notes,
    external_id,
  },
  {
    title: 'ContractCallBody',
    additionalProperties: false,
    examples: [
      {
        transaction: {
          to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
          chainId: 31337,
          value: '1',
          data: '0xd0e30db0',
        },
      },
    ],
  },
);
export type ContractCallBody = Static<typeof contractCallBody>;

export const contractCallAnswer = Type.Object(
  {
    created: Type.Boolean({ description: 'False when an earlier request with this idempotency key made it.' }),
    transaction_id: Type.String({ description: 'The withdrawal, under the name that SDK callers poll.' }),
    auto_approved: Type.Boolean({ description: 'False when approvals are needed before it is signed.' }),
    withdrawal: withdrawalRecord,
  },
  { title: 'AcceptedCall' },
);
