// Money by the client: withdrawals that can be waited for, balances, fees, and the policy that decides.

import type { Body, Data, Query } from './api-types.ts';
import { OperationFailedError } from './errors.ts';
import { type CallOptions, ServiceClient, type WriteOptions } from './service-client.ts';
import { type Pending, pending, type WaitOptions } from './until-final.ts';

const WITHDRAWAL = '/api/v1/withdrawals/{withdrawal_id}';
const WORKSPACE = '/api/v1/workspaces/{workspace_id}';
const SIGN_RAW = '/api/v1/web3/transaction/{wallet_id}/signRaw';

export type RequestWithdrawal = Body<'post', '/api/v1/wallets/{wallet_id}/request-withdrawal'>;
export type WithdrawalAccepted = Data<'post', '/api/v1/wallets/{wallet_id}/request-withdrawal'>;
export type EstimateWithdrawal = Body<'post', '/api/v1/wallets/{wallet_id}/withdrawals/estimate'>;
export type Withdrawal = Data<'get', typeof WITHDRAWAL>;
export type ContractCall = Extract<Body<'post', typeof SIGN_RAW>, { transaction: unknown }>;
export type ContractCallAccepted = Extract<Data<'post', typeof SIGN_RAW>, { withdrawal: unknown }>;
export type PolicyDocument = Body<'put', `${typeof WORKSPACE}/policy`>;
export type SimulatePolicy = Body<'post', `${typeof WORKSPACE}/policy/simulate`>;
export type NewAddress = Body<'post', `${typeof WORKSPACE}/address-book`>;
type FeeLevel = Withdrawal['fee_level'];

/** `reason`: at most 500 characters, which the record, its events and the audit log show. */
export type ReasonOptions = WriteOptions & { reason?: string };

const finalStatuses: readonly Withdrawal['status'][] = ['completed', 'failed', 'rejected', 'cancelled'];

export class MoneyClient extends ServiceClient {
  /** Every balance of the workspace, wallet by wallet. */
  balances(query: Query<`${typeof WORKSPACE}/balances`> = {}) {
    return this.list(`${WORKSPACE}/balances`, { query });
  }

  walletBalances(walletId: string, query: Query<'/api/v1/wallets/{wallet_id}/balances'> = {}) {
    return this.list('/api/v1/wallets/{wallet_id}/balances', { path: { wallet_id: walletId }, query });
  }

  /** What a plain transfer of the native currency costs at most, at each level. */
  fees(networkId: string, options?: CallOptions) {
    return this.get('/api/v1/networks/{network_id}/fees', { path: { network_id: networkId }, ...options });
  }

  withdrawals(query: Query<`${typeof WORKSPACE}/withdrawals`> = {}) {
    return this.list(`${WORKSPACE}/withdrawals`, { query });
  }

  withdrawal(withdrawalId: string, options?: CallOptions): Promise<Withdrawal> {
    return this.get(WITHDRAWAL, { path: { withdrawal_id: withdrawalId }, ...options });
  }

  /** Every step, oldest first. */
  withdrawalHistory(withdrawalId: string, options?: CallOptions) {
    return this.get(`${WITHDRAWAL}/history`, { path: { withdrawal_id: withdrawalId }, ...options });
  }

  estimateWithdrawal(walletId: string, body: EstimateWithdrawal, options?: CallOptions) {
    const path = { wallet_id: walletId };
    return this.post('/api/v1/wallets/{wallet_id}/withdrawals/estimate', { path, body, ...options });
  }

  /** Waits, when it is asked to, for approvals too. */
  requestWithdrawal(
    walletId: string,
    body: RequestWithdrawal,
    options: WriteOptions = {},
  ): Pending<WithdrawalAccepted, Withdrawal> {
    const path = { wallet_id: walletId };
    return pending(
      this.post('/api/v1/wallets/{wallet_id}/request-withdrawal', { path, body, ...options }),
      ({ withdrawal }, waiting) => this.waitForWithdrawal(withdrawal.id, waiting),
    );
  }

  /** Has a transaction completed, signed and broadcast. */
  callContract(
    walletId: string,
    body: ContractCall,
    options: WriteOptions = {},
  ): Pending<ContractCallAccepted, Withdrawal> {
    const answer = this.post(SIGN_RAW, { path: { wallet_id: walletId }, body, ...options });
    return pending(
      answer.then((data) => data as ContractCallAccepted),
      ({ transaction_id }, waiting) => this.waitForWithdrawal(transaction_id, waiting),
    );
  }

  /** Resolves once it is completed; throws OperationFailedError when it has ended in any other way. */
  async waitForWithdrawal(withdrawalId: string, options?: WaitOptions): Promise<Withdrawal> {
    const withdrawal = await this.until<Withdrawal>(
      {
        id: withdrawalId,
        path: `/api/v1/withdrawals/${encodeURIComponent(withdrawalId)}`,
        isFinal: ({ status }) => finalStatuses.includes(status),
      },
      options,
    );
    if (withdrawal.status !== 'completed') throw new OperationFailedError(withdrawalId, withdrawal);
    return withdrawal;
  }

  /** With the digest of what was looked at (`approval.digest`): when anything has changed since, it is no approval. */
  approveWithdrawal(withdrawalId: string, digest: string, options: WriteOptions = {}): Promise<Withdrawal> {
    return this.post(`${WITHDRAWAL}/approve`, { path: { withdrawal_id: withdrawalId }, body: { digest }, ...options });
  }

  rejectWithdrawal(withdrawalId: string, { reason, ...options }: ReasonOptions = {}): Promise<Withdrawal> {
    const body = reason === undefined ? {} : { reason };
    return this.post(`${WITHDRAWAL}/reject`, { path: { withdrawal_id: withdrawalId }, body, ...options });
  }

  /** While nothing of it is signed. */
  cancelWithdrawal(withdrawalId: string, { reason, ...options }: ReasonOptions = {}): Promise<Withdrawal> {
    const body = reason === undefined ? {} : { reason };
    return this.post(`${WITHDRAWAL}/cancel`, { path: { withdrawal_id: withdrawalId }, body, ...options });
  }

  /** While its transaction waits for a block. */
  speedUpWithdrawal(
    withdrawalId: string,
    { feeLevel, ...options }: WriteOptions & { feeLevel?: FeeLevel } = {},
  ): Promise<Withdrawal> {
    const body = feeLevel === undefined ? {} : { fee_level: feeLevel };
    return this.post(`${WITHDRAWAL}/speed-up`, { path: { withdrawal_id: withdrawalId }, body, ...options });
  }

  /** While its transaction waits for a block: another one, which moves nothing, shall take its place. */
  dropWithdrawal(withdrawalId: string, options: WriteOptions = {}): Promise<Withdrawal> {
    return this.post(`${WITHDRAWAL}/drop`, { path: { withdrawal_id: withdrawalId }, ...options });
  }

  policy(options?: CallOptions) {
    return this.get(`${WORKSPACE}/policy`, options);
  }

  /** Every version, the newest first, each with what it changes of the one that was in force when it was asked for. */
  policyVersions(query: Query<`${typeof WORKSPACE}/policy/history`> = {}) {
    return this.list(`${WORKSPACE}/policy/history`, { query });
  }

  /** In force at once, unless the policy wants approvals for its changes. */
  setPolicy(body: PolicyDocument, options: WriteOptions = {}) {
    return this.put(`${WORKSPACE}/policy`, { body, ...options });
  }

  /** What would be decided, and why. */
  simulatePolicy(body: SimulatePolicy, options?: CallOptions) {
    return this.post(`${WORKSPACE}/policy/simulate`, { body, ...options });
  }

  addressBook(query: Query<`${typeof WORKSPACE}/address-book`> = {}) {
    return this.list(`${WORKSPACE}/address-book`, { query });
  }

  addAddress(body: NewAddress, options: WriteOptions = {}) {
    return this.post(`${WORKSPACE}/address-book`, { body, ...options });
  }

  removeAddress(addressBookId: string, options: WriteOptions = {}) {
    const path = { address_book_id: addressBookId };
    return this.delete(`${WORKSPACE}/address-book/{address_book_id}`, { path, ...options });
  }

  /** Pays a wallet of the sandbox. The deposit shows once the chain has it. */
  faucet(body: Body<'post', '/api/v1/sandbox/faucet'>, options: WriteOptions = {}) {
    return this.post('/api/v1/sandbox/faucet', { body, ...options });
  }

  /** Makes blocks on a chain of the sandbox. */
  mine(body: Body<'post', '/api/v1/sandbox/mine'>, options: WriteOptions = {}) {
    return this.post('/api/v1/sandbox/mine', { body, ...options });
  }
}
