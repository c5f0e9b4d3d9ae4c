// What the `data` of each type of event says: the resource as it was after the change, in the words of its record, so that most who hear need read nothing more. What
// is not known, or not yet, is absent. Events of one resource come in the order of its changes; of two, the later `updated_at` is the newer.
import Type, { type TObject } from 'typebox';
import type { EventType } from '../../domain/events/event-types.ts';
import {
  curves,
  depositStatuses,
  payloadKinds,
  signingStatuses,
  signingStatusReasons,
  transactionMethods,
  walletStatuses,
  withdrawalStatuses,
  withdrawalSubStatuses,
} from '../../domain/statuses.ts';
import { addressTypes } from '../../domain/wallets/address-types.ts';
import { feeLevels } from '../../domain/withdrawals/fee-levels.ts';

const id = (description: string) => Type.String({ format: 'uuid', description });
const text = (description: string) => Type.String({ description });
const maybe = (description: string) => Type.Optional(text(description));
const moment = Type.String({ format: 'date-time' });
const amount = (description: string) => Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', description });
const workspaceId = id('Workspace id.');
const walletId = id('Wallet id.');
const assetId = id('Catalogue id of the asset.');
const networkId = id('Catalogue id of the network.');
const times = { created_at: moment, updated_at: moment };
const failure = { error_code: maybe('Stable, for programs.'), error_reason: maybe('The same in one plain sentence.') };

const walletFields = {
  id: walletId,
  wallet_id: walletId,
  workspace_id: workspaceId,
  name: Type.String(),
  wallet_type: Type.Enum(['standard', 'mpc']),
  wallet_purpose: Type.Optional(Type.String()),
  status: Type.Enum([...walletStatuses]),
  ...failure,
  ...times,
};

const wallet = Type.Object(walletFields, { $id: 'WalletEventData' });

const address = Type.Optional(Type.String());
const createdWallet = Type.Object(
  {
    ...walletFields,
    addresses: Type.Object(Object.fromEntries(addressTypes.map((type) => [type, address])), {
      description: 'By chain family.',
    }),
  },
  { $id: 'WalletCreatedEventData' },
);

const deposit = Type.Object(
  {
    id: id('The deposit; also its id in the activity (`transactions`).'),
    transaction_id: id('The same as `id`.'),
    workspace_id: workspaceId,
    wallet_id: walletId,
    asset_id: assetId,
    network_id: networkId,
    amount: amount("What arrived, in the asset's unit."),
    status: Type.Enum([...depositStatuses], {
      description: 'Only what is `confirmed` can be spent. What was `reorged` is `pending` again when it comes back.',
    }),
    tx_hash: Type.String(),
    from_address: maybe('Absent where the chain names no single sender.'),
    to_address: text("The wallet's own address."),
    block_number: Type.Integer({ description: 'The block that has it, or had it.' }),
    block_hash: maybe('Absent when a reorganisation took the block.'),
    ...times,
  },
  { $id: 'DepositEventData' },
);

const withdrawal = Type.Object(
  {
    id: id('The withdrawal.'),
    transaction_id: id('The same as `id`.'),
    workspace_id: workspaceId,
    wallet_id: walletId,
    asset_id: assetId,
    network_id: networkId,
    network_internal_code: text('Internal code of the network.'),
    method: Type.Enum([...transactionMethods]),
    amount: amount("What the recipient gets, in the asset's unit."),
    recipient_address: text('In the canonical form of the chain; the contract of a call.'),
    from_address: text("The wallet's own address."),
    fee_level: Type.Enum([...feeLevels]),
    max_fee: Type.Optional(amount('What the fee must not exceed, in the native currency.')),
    fee_paid: Type.Optional(amount('What the chain took, in the native currency.')),
    external_id: maybe("The caller's own name for it."),
    status: Type.Enum([...withdrawalStatuses]),
    sub_status: Type.Optional(Type.Enum([...withdrawalSubStatuses])),
    ...failure,
    tx_hash: maybe('Of the transaction that stands for it now.'),
    block_number: Type.Optional(Type.Integer({ description: 'The block that has it.' })),
    confirmations: Type.Optional(Type.Integer({ description: '1 in the newest block.' })),
    requested_by: id('The user who asked.'),
    policy_reasons: Type.Array(Type.String(), { description: 'Why the policy decided as it did.' }),
    ...times,
    completed_at: Type.Optional(moment),
  },
  { $id: 'WithdrawalEventData' },
);

const signing = Type.Object(
  {
    id: id('The signing operation.'),
    signing_id: id('The same as `id`.'),
    operation_type: Type.Enum(['withdrawal', 'generic']),
    withdrawal_id: Type.Optional(id('The withdrawal that it is for.')),
    workspace_id: workspaceId,
    wallet_id: walletId,
    network_internal_code: text('Internal code of the network.'),
    key_type: Type.Enum([...curves]),
    payload_kind: Type.Enum([...payloadKinds]),
    external_id: maybe("The caller's own name for it."),
    signing_hash: text('0x and 64 hex digits.'),
    derivation_path: Type.String(),
    status: Type.Enum([...signingStatuses]),
    status_reason: Type.Optional(Type.Enum([...signingStatusReasons])),
    mpc_correlation_id: maybe('Signing id and attempt, as the nodes know it.'),
    ...failure,
    signature: maybe('0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519.'),
    public_key: maybe('The derived child key, hex.'),
    address: maybe('Its address on the network.'),
    ...times,
    completed_at: Type.Optional(moment),
  },
  { $id: 'SigningEventData' },
);

const withdrawalsFreeze = Type.Object(
  {
    workspace_id: workspaceId,
    withdrawals_frozen: Type.Boolean({ description: 'Whether withdrawals and signatures are refused.' }),
    frozen_at: Type.Optional(moment),
    updated_at: moment,
  },
  { $id: 'WithdrawalsFreezeEventData' },
);

const apiKey = Type.Object(
  {
    id: id('API key id.'),
    workspace_id: workspaceId,
    user_id: id('Whose key it is.'),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    wallet_ids: Type.Array(Type.String(), { description: 'Empty when the key reaches every wallet.' }),
    created_by: text('Id of the user who made it, or `operator`.'),
    expires_at: Type.Optional(moment),
    revoked_at: Type.Optional(moment),
    ...times,
  },
  { $id: 'ApiKeyEventData' },
);

const webhook = Type.Object(
  {
    webhook_id: id('The endpoint.'),
    status_reason: maybe('Why it was disabled: `gone` or `failing`.'),
  },
  { $id: 'WebhookEventData' },
);

export const eventDataSchemas: readonly TObject[] = [
  wallet,
  createdWallet,
  deposit,
  withdrawal,
  signing,
  withdrawalsFreeze,
  apiKey,
  webhook,
];

interface DescribedEvent {
  /** When it is told. */
  description: string;
  data: TObject & { $id: string };
}

const described = (description: string, data: TObject) => ({ description, data: data as DescribedEvent['data'] });

export const eventDescriptions: Readonly<Record<EventType, DescribedEvent>> = {
  'wallet.created': described('A wallet has its keys and addresses.', createdWallet),
  'wallet.creation_failed': described('A wallet got no keys, and never will.', wallet),
  'wallet.frozen': described('A wallet signs nothing from now on.', wallet),
  'wallet.unfrozen': described('A wallet that was frozen signs again.', wallet),
  'deposit.pending': described(
    'Something arrived in a block: for the first time, or again after it was reorged.',
    deposit,
  ),
  'deposit.confirmed': described('It is final and can be spent.', deposit),
  'deposit.reorged': described(
    'Its block is no longer in the chain: it counts no more, also when it was confirmed.',
    deposit,
  ),
  'withdrawal.created': described('A withdrawal is stored and its amount held.', withdrawal),
  'withdrawal.pending_approval': described('The policy wants it approved.', withdrawal),
  'withdrawal.approved': described('The policy let it through, or enough have approved.', withdrawal),
  'withdrawal.rejected': described('An approver rejected it.', withdrawal),
  'withdrawal.processing': described('A worker has taken it up.', withdrawal),
  'withdrawal.broadcast': described('Its first transaction is out: `tx_hash`.', withdrawal),
  'withdrawal.replaced': described(
    'Another transaction is out in the place of the one before it: `tx_hash` is the new one. It may be sped up, dropped or renewed.',
    withdrawal,
  ),
  'withdrawal.completed': described('The chain has it for good.', withdrawal),
  'withdrawal.failed': described('It moved nothing, and never will.', withdrawal),
  'withdrawal.cancelled': described('It was cancelled before anything was signed.', withdrawal),
  'signing.pending_approval': described('The policy wants it approved before anything is signed.', signing),
  'signing.submitted': described('The first attempt has begun.', signing),
  'signing.success': described('There is a signature.', signing),
  'signing.failed': described('There is no signature, and never will be.', signing),
  'workspace.withdrawals_frozen': described(
    'Withdrawals and signatures of the workspace are refused from now on.',
    withdrawalsFreeze,
  ),
  'workspace.withdrawals_unfrozen': described('They are taken again.', withdrawalsFreeze),
  'api_key.created': described('A key was made. Its secrets are in no event.', apiKey),
  'api_key.revoked': described('A key is refused from now on, for ever.', apiKey),
  'webhook.ping': described('Somebody tests an endpoint, which alone is sent it.', webhook),
  'webhook.disabled': described('An endpoint is sent nothing more until it is made active again.', webhook),
};
