// Operations that must be approved, and keys that may approve them: asked for and decided over HTTP, on an API whose
// Temporal is away, so that every start stays countable.
import { eq, inArray } from 'drizzle-orm';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import type { Scope } from '../../../domain/scopes.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { type ApprovalRoundRow, approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import type { Answer, TestApi, TestKey } from '../api/api.ts';
import { signPath } from '../api/sign.ts';
import { connectNetwork, credit, sandbox } from './funded.ts';
import { writeRound } from './seals.ts';

export interface KnownKey extends TestKey {
  id: string;
}

export type Kind = 'withdrawal' | 'signing';

const paths: Record<Kind, (id: string) => string> = {
  withdrawal: (id) => `/api/v1/withdrawals/${id}`,
  signing: (id) => `/api/v1/signing-requests/${id}`,
};

const approverScopes: Scope[] = ['withdrawals:approve', 'signing:approve', 'policies:write', 'policies:read'];

interface StageOptions {
  /** The first key of the workspace when absent. */
  key?: TestKey | undefined;
  headers?: Record<string, string>;
}

interface StageDecision extends StageOptions {
  verb: 'approve' | 'reject';
  body?: object | undefined;
}

export class ApprovalStage {
  readonly api: TestApi;
  #calls = 0;

  constructor(api: TestApi) {
    this.api = api;
  }

  async connect(): Promise<void> {
    await connectNetwork(this.api.db, sandbox.ETH.networkId);
  }

  /** What lies at this path, asked for by the first key and approved by another user's. */
  async unfreeze(path: string, approver: TestKey, body?: object): Promise<void> {
    const asked = await this.call('POST', `${path}/unfreeze`, body);
    if (asked.status !== 202) throw new Error(`unfreezing was answered ${asked.status}`);
    const change = `/api/v1/changes/${asked.body.data.id}/approve`;
    const approved = await this.call('POST', change, undefined, { key: approver });
    if (approved.status !== 200) throw new Error(`the approval was answered ${approved.status}`);
  }

  async makeFundedWallet(): Promise<string> {
    const walletId = await this.api.makeActiveWallet();
    await credit(this.api.db, walletId, sandbox.ETH, 10n ** 20n);
    return walletId;
  }

  async makeApprover(fields: Parameters<TestApi['makeKey']>[0] = {}): Promise<KnownKey> {
    const key = await this.api.makeKey({ scopes: approverScopes, ...fields });
    const [row] = await this.api.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.apiKey, key.apiKey));
    if (row === undefined) throw new Error('there is no key');
    return { ...key, id: row.id };
  }

  makeApprovers(count: number): Promise<KnownKey[]> {
    return Promise.all(Array.from({ length: count }, () => this.makeApprover()));
  }

  /** Each call in another second, so that equal bodies have different signatures. */
  call(method: string, path: string, body?: unknown, options: StageOptions = {}): Promise<Answer> {
    const { key = this.api.admin, headers = {} } = options;
    this.#calls += 1;
    return this.api.call(method, path, body, {
      key,
      headers,
      timestamp: Math.floor(Date.now() / 1000) - 280 + (this.#calls % 560),
    });
  }

  async setPolicy(document: PolicyDocument): Promise<void> {
    const answer = await this.call('PUT', `/api/v1/workspaces/${this.api.workspaceId}/policy`, document);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  ask(kind: Kind, walletId: string, key?: TestKey): Promise<Answer> {
    if (kind === 'signing')
      return this.call(
        'POST',
        signPath('signMessage', walletId),
        { network_internal_code: 'ETHEREUM_SANDBOX', message: 'Hello' },
        { key },
      );
    const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const body = { asset_id: sandbox.ETH.assetId, amount: '0.25', recipient_address: to };
    return this.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, body, { key });
  }

  /** One that waits for approval. */
  async askId(kind: Kind, walletId: string, key?: TestKey): Promise<string> {
    const { status, body } = await this.ask(kind, walletId, key);
    if (status !== 202) throw new Error(JSON.stringify(body));
    return kind === 'signing' ? body.data.transaction_id : body.data.withdrawal.id;
  }

  decide(kind: Kind, id: string, { verb, body, ...options }: StageDecision): Promise<Answer> {
    return this.call('POST', `${paths[kind](id)}/${verb}`, body, options);
  }

  cancel(kind: Kind, id: string): Promise<Answer> {
    return this.call('POST', `${paths[kind](id)}/cancel`);
  }

  async read(kind: Kind, id: string) {
    return (await this.call('GET', paths[kind](id))).body.data;
  }

  async roundOf(id: string): Promise<ApprovalRoundRow> {
    const [round] = await this.api.db.select().from(approvalRounds).where(eq(approvalRounds.subjectId, id));
    if (round === undefined) throw new Error('there is no round');
    return round;
  }

  async expireAt(id: string, expiresAt: Date): Promise<void> {
    await writeRound(this.api.db, id, { expiresAt });
  }

  /** What Temporal is to be told of an operation: `start`, or the signal. */
  async noticesOf(id: string): Promise<string[]> {
    const ids = ['sign', 'withdraw'].map((type) => workflowIdOf(type, id));
    const entries = await this.api.db.select().from(outbox).where(inArray(outbox.workflowId, ids)).orderBy(outbox.id);
    return entries.map(({ signal }) => signal ?? 'start');
  }
}
