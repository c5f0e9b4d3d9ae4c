// Withdrawals, signing operations, addresses and policies in the states that a run of Schemathesis needs: what can be
// cancelled, sped up, approved or rejected. Stored as the service stores them, asked for by a key that is none of those
// that sign.

import { v7 as uuidv7 } from 'uuid';
import { getAddress } from 'viem';
import type { Decision } from '../../../domain/policies/decision.ts';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import type { Transaction } from '../../../drizzle/database/connection.ts';
import { networks } from '../../../drizzle/networks/networks.ts';
import { insertAddress } from '../../../drizzle/policies/address-book.ts';
import { insertPolicy } from '../../../drizzle/policies/policies.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { insertAuthorityChange } from '../../../drizzle/users/authority-changes.ts';
import {
  addressDigest,
  authorityChangeDigest,
  policyDigest,
  signingDigest,
  withdrawalDigest,
} from '../../../drizzle/votes/approved-content.ts';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { advanceWithdrawal, insertWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../../../drizzle/withdrawals/withdrawals.ts';
import { type NewApprovalRound, openApprovalRound } from '../../../src/approvals/open-approval-round.ts';
import { applyDecision } from '../../../src/withdrawals/policy-decision.ts';
import type { TestApi } from '../../support/api/api.ts';
import { connectNetwork, credit, feesOf, sandbox } from '../../support/rows/funded.ts';
import { testSealing, testSeals } from '../../support/rows/seals.ts';

export const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const txHash = `0x${'5a'.repeat(32)}`;
const MORE_THAN_ALL_OF_THEM = 10n ** 30n;

const reasons = ['It is a test.'];
const nothingNeeded = { required: 0, approvers: [], approveWith: null, expiresInSeconds: 0 };
const allowed: Decision = { action: 'allow', rule: 'test', ...nothingNeeded, reasons };
const heldUp: Decision = { ...allowed, action: 'require_approvals', required: 1, expiresInSeconds: 3600 };

/** Any key but those of the run. */
const requestedBy = uuidv7();

export type Stage = 'approved' | 'held up' | 'broadcast' | 'cancelled';

export class DecisionSeed {
  readonly #api: TestApi;
  readonly #walletId: string;
  /** Of what waits, by its id, or by that of the workspace whose policy it is. */
  readonly digests: Record<string, string> = {};

  constructor(api: TestApi, walletId: string) {
    this.#api = api;
    this.#walletId = walletId;
  }

  /**
   * Every network of the catalogue as one that workers read, with fees that stay new for the whole run, and a wallet
   * that is rich.
   */
  async fund(): Promise<void> {
    const { db } = this.#api;
    const quotedAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const { id } of await db.update(networks).set({ disabled: false }).returning())
      await connectNetwork(db, id, { ...feesOf(1_000n, { gasLimit: '21000' }), quotedAt });
    for (const asset of Object.values(sandbox)) await credit(db, this.#walletId, asset, MORE_THAN_ALL_OF_THEM);
  }

  async makeWithdrawal(stage: Stage): Promise<string> {
    const { db, workspaceId } = this.#api;
    const walletId = this.#walletId;
    const from = await findWalletAddress(db, walletId, 'evm');
    if (from === undefined) throw new Error('the wallet has no address');
    const { assetId, networkId } = sandbox.ETH;
    const id = uuidv7();
    await db.transaction(async (tx) => {
      const row = await insertWithdrawal(tx, testSeals, {
        id,
        workspaceId,
        walletId,
        assetId,
        networkId,
        feeAssetId: assetId,
        requestedBy,
        amountBaseUnits: 10n ** 15n,
        decimals: 18,
        maxFeeBaseUnits: 10n ** 16n,
        notes: 'A test.',
        fromAddress: from.address,
        derivationPath: from.derivationPath,
        recipientAddress: recipient,
      });
      if (row === undefined) throw new Error('a withdrawal was not stored');
      this.digests[id] = withdrawalDigest(row);
      await bringTo(tx, stage, row);
    });
    return id;
  }

  async makeSigningRequest(stage: 'open' | 'held up' = 'open'): Promise<string> {
    const { db, workspaceId } = this.#api;
    const walletId = this.#walletId;
    const id = uuidv7();
    await db.transaction(async (tx) => {
      const row = await insertSigningRequest(tx, testSeals, {
        id,
        workspaceId,
        walletId,
        operationType: 'generic',
        networkInternalCode: 'ETHEREUM_SANDBOX',
        keyType: 'secp256k1',
        signingHash: `0x${'ab'.repeat(32)}`,
        unsignedTx: `0x${'ab'.repeat(32)}`,
        derivationPath: 'm/44/60/0/0/0',
        statusReason: stage === 'held up' ? 'awaiting_approval' : null,
      });
      if (row === undefined) throw new Error('a signing operation was not stored');
      const about = { subject: 'signing_request', subjectId: id, workspaceId, walletId } as const;
      if (stage === 'held up') await this.#openRound(tx, about, signingDigest(row));
    });
    return id;
  }

  /** Each with an address of its own. */
  async makeAddress(status: 'pending' | 'active'): Promise<string> {
    const { db, workspaceId } = this.#api;
    const id = uuidv7();
    const address = getAddress(`0x${id.replaceAll('-', '').padStart(40, '1')}`);
    const { networkId } = sandbox.ETH;
    await db.transaction(async (tx) => {
      const entry = { id, workspaceId, networkId, address, label: 'A test', status, createdBy: requestedBy };
      const row = await insertAddress(tx, testSealing, entry);
      if (row === undefined) throw new Error('an address was not stored');
      const about = { subject: 'address', subjectId: id, workspaceId, walletId: null } as const;
      if (status === 'pending') await this.#openRound(tx, about, addressDigest(row));
    });
    return id;
  }

  /** A user who waits for approval. */
  async makeChange(): Promise<string> {
    const { db, workspaceId } = this.#api;
    const [id, targetId] = [uuidv7(), uuidv7()];
    await db.transaction(async (tx) => {
      const change = { id, workspaceId, kind: 'create_user', targetId, userId: targetId } as const;
      const details = { name: 'A test', email: null };
      const row = await insertAuthorityChange(tx, { ...change, details, createdBy: requestedBy });
      const about = { subject: 'authority_change', subjectId: id, workspaceId, walletId: null } as const;
      await this.#openRound(tx, about, authorityChangeDigest(row));
    });
    return id;
  }

  /** In a workspace of its own, whose policy has a change that waits for as many approvals. */
  async makeChangedPolicy(workspaceId: string, required: number): Promise<void> {
    const document: PolicyDocument = { rules: [], default: { action: 'allow' } };
    const id = uuidv7();
    await this.#api.db.transaction(async (tx) => {
      const policy = { document, workspaceId, createdBy: requestedBy };
      await insertPolicy(tx, testSealing, { ...policy, id: uuidv7(), status: 'active' });
      const digest = policyDigest(await insertPolicy(tx, testSealing, { ...policy, id, status: 'pending' }));
      const about = { subject: 'policy', subjectId: id, workspaceId, walletId: null } as const;
      await this.#openRound(tx, about, digest, required);
      this.digests[workspaceId] = digest;
    });
  }

  async #openRound(
    tx: Transaction,
    about: Pick<NewApprovalRound, 'subject' | 'subjectId' | 'workspaceId' | 'walletId'>,
    digest: string,
    required = 1,
  ): Promise<void> {
    await openApprovalRound(tx, testSeals, { ...about, requestedBy, decision: { ...heldUp, required }, digest });
    this.digests[about.subjectId] = digest;
  }
}

async function bringTo(tx: Transaction, stage: Stage, row: WithdrawalRow): Promise<void> {
  const { id } = row;
  await applyDecision(tx, testSeals, row, stage === 'held up' ? heldUp : allowed);
  if (stage === 'cancelled') {
    const fields = { subStatus: null, errorCode: 'cancelled', errorReason: 'A caller cancelled it.' } as const;
    await advanceWithdrawal(tx, id, { from: 'approved', to: 'cancelled', fields, details: 'A caller cancelled it.' });
  }
  if (stage === 'broadcast') {
    const fields = { subStatus: 'stuck', txHash } as const;
    await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', fields, details: 'It waits for a block.' });
  }
}
