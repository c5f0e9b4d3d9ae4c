// What each type of event says, and when: the resource as it was after the change, in the words of its record, so that
// most who hear of it need read nothing more. What is not known, or not yet, is absent. Events of one resource come in
// the order of its changes; of two, the one with the later `updated_at` is the newer. Which fields a resource shows in
// events is decided in its own folder: one schema and one function make them, and its record has the same.
import Type, { type Static, type TObject } from 'typebox';
import type { EventData, RecordedResource } from '../../domain/events/event-data.ts';
import type { EventType } from '../../domain/events/event-types.ts';
import { recordedApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import { recordedDeposit } from '../../drizzle/deposits/deposits.ts';
import { type RecordedColumns, type RecordedRow, recordedReader } from '../../drizzle/events/recorded-rows.ts';
import { recordedExport } from '../../drizzle/exports/export-steps.ts';
import { recordedPasskey } from '../../drizzle/passkeys/passkeys.ts';
import {
  recordedSigning,
  recordedForApproval as signingForApproval,
} from '../../drizzle/signing-requests/signing-steps.ts';
import { recordedWallet } from '../../drizzle/wallets/wallet-steps.ts';
import { recordedWebhook } from '../../drizzle/webhooks/webhooks.ts';
import {
  recordedWithdrawal,
  recordedForApproval as withdrawalForApproval,
} from '../../drizzle/withdrawals/withdrawals.ts';
import { recordedFreeze } from '../../drizzle/workspaces/workspaces.ts';
import { toApiKeyEventData } from '../api-keys/api-keys.response.ts';
import { apiKeyEventData } from '../api-keys/api-keys.schema.ts';
import { toExportEventData } from '../exports/exports.response.ts';
import { exportEventData } from '../exports/exports.schema.ts';
import { toPasskeyEventData } from '../passkeys/passkeys.response.ts';
import { passkeyEventData } from '../passkeys/passkeys.schema.ts';
import { toSigningEventData } from '../signing-requests/signing-requests.response.ts';
import { signingEventData } from '../signing-requests/signing-requests.schema.ts';
import { toDepositEventData } from '../transactions/deposits.response.ts';
import { depositEventData } from '../transactions/deposits.schema.ts';
import { toCreatedWalletEventData, toWalletEventData } from '../wallets/wallets.response.ts';
import { walletEventData } from '../wallets/wallets.schema.ts';
import { toWebhookEventData } from '../webhooks/webhooks.response.ts';
import { webhookEventData } from '../webhooks/webhooks.schema.ts';
import { toWithdrawalEventData } from '../withdrawals/withdrawals.response.ts';
import { withdrawalEventData } from '../withdrawals/withdrawals.schema.ts';
import { toFreezeEventData } from '../workspaces/workspaces.response.ts';
import { freezeEventData } from '../workspaces/workspaces.schema.ts';

interface EventResource {
  /** Of the schema, in the OpenAPI document. */
  name: string;
  schema: TObject;
  toData: (resource: RecordedResource) => EventData;
}

/** What is recorded of a resource, how it is described, and the function between the two. */
function resource<Columns extends RecordedColumns, Schema extends TObject>(
  name: string,
  columns: Columns,
  schema: Schema,
  toData: (row: RecordedRow<Columns>) => Static<Schema>,
): EventResource {
  const read = recordedReader(columns);
  return {
    name,
    schema: Type.Object(schema.properties, { $id: name }),
    toData: (recorded) => toData(read(recorded)),
  };
}

const wallet = resource('WalletEventData', recordedWallet, walletEventData, toWalletEventData);
const createdWallet = resource('WalletEventData', recordedWallet, walletEventData, toCreatedWalletEventData);
const deposit = resource('DepositEventData', recordedDeposit, depositEventData, toDepositEventData);
const withdrawal = resource(
  'WithdrawalEventData',
  { ...recordedWithdrawal, ...withdrawalForApproval },
  withdrawalEventData,
  toWithdrawalEventData,
);
const signing = resource(
  'SigningEventData',
  { ...recordedSigning, ...signingForApproval },
  signingEventData,
  toSigningEventData,
);
const withdrawalsFreeze = resource('WithdrawalsFreezeEventData', recordedFreeze, freezeEventData, toFreezeEventData);
const apiKey = resource('ApiKeyEventData', recordedApiKey, apiKeyEventData, toApiKeyEventData);
const passkey = resource('PasskeyEventData', recordedPasskey, passkeyEventData, toPasskeyEventData);
const exported = resource('ExportEventData', recordedExport, exportEventData, toExportEventData);
const webhook = resource('WebhookEventData', recordedWebhook, webhookEventData, toWebhookEventData);

interface EventDescription extends EventResource {
  /** When it happens. */
  description: string;
}

const described = (description: string, of: EventResource): EventDescription => ({ description, ...of });

export const eventDescriptions: Readonly<Record<EventType, EventDescription>> = {
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
  'withdrawal.insufficient_funds': described(
    'It waits for funds: `shortage` says what is missing and until when it waits. Again when that has doubled or halved.',
    withdrawal,
  ),
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
  'passkey.enrolled': described('A user signs in and votes by it from now on.', passkey),
  'passkey.removed': described(
    'It is refused from now on, for ever: its sessions end, and its votes that are still counted do not count.',
    passkey,
  ),
  'export.completed': described('The file of an export is there.', exported),
  'export.failed': described('An export has no file, and never will.', exported),
  'export.cancelled': described('A caller ended an export: nothing of its file is left.', exported),
  'webhook.ping': described('Somebody tests an endpoint, which alone is sent it.', webhook),
  'webhook.disabled': described('An endpoint is sent nothing more until it is made active again.', webhook),
};

export const eventDataSchemas = [
  ...new Map(Object.values(eventDescriptions).map(({ name, schema }) => [name, schema])).values(),
];

/** For the sequencer. Throws for what this version does not know: a later one will place it. */
export function toEventData(type: EventType, recorded: RecordedResource): EventData {
  const known = eventDescriptions[type];
  if (known === undefined) throw new Error(`this version knows no event of the type ${type}`);
  return known.toData(recorded);
}
