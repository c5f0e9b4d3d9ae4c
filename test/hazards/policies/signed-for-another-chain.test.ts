// Goal: nothing is judged as one network and signed for another: the chain is what the bytes say, and what names none
// is judged for every network that it may be valid for. Method: as a holder of a key would, over HTTP on a real
// database, with a policy that guards one network and a request that names another.
import { keccak256, parseEther, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Conditions, PolicyAction, PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { type Answer, startApi, type TestApi } from '../../support/api/api.ts';
import { countSigningRequests, mail, signPath } from '../../support/api/sign.ts';
import { lamportsTo, solanaMessage } from '../../support/chains/solana-messages.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { sandbox } from '../../support/rows/funded.ts';

const THIEF = '0x9999999999999999999999999999999999999999';
const { assetId: asset_id } = sandbox.ETH;

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  walletId = await api.makeActiveWallet();
});
afterAll(() => api.stop());

const approval: PolicyAction = { action: 'require_approvals', approvals: 1 };
const when = (conditions: Conditions, then: PolicyAction = { action: 'deny' }): PolicyDocument => ({
  rules: [
    { name: 'guarded', when: conditions, then },
    { name: 'digests', when: { payload_kinds: ['raw_digest'] }, then: { action: 'allow' } },
    { name: 'typed', when: { typed_data: { primary_types: ['Mail'] } }, then: { action: 'allow' } },
  ],
  default: { action: 'allow' },
});
const unsigned = (fields: object) =>
  serializeTransaction({ type: 'eip1559', chainId: 31337, to: THIEF, value: parseEther('5'), ...fields });
const sign = (
  route: 'signRaw' | 'sign' | 'signMessage' | 'signTyped' | 'signTransaction' | 'signBatch',
  body: object,
) => stage.call('POST', signPath(route, walletId), body);

describe('an EVM transaction is of the chain that its bytes say', () => {
  const transactions: [string, `0x${string}`][] = [
    ['another chain', unsigned({})],
    ['another chain, in an older form', unsigned({ type: 'legacy', gasPrice: 1n })],
    ['another chain, with an access list', unsigned({ type: 'eip2930', gasPrice: 1n })],
    ['no chain (before EIP-155)', unsigned({ type: 'legacy', gasPrice: 1n, chainId: undefined })],
  ];
  const elsewhere = ['ETHER_SEPOLIA_TESTNET', 'BTC_SANDBOX', 'TRON_MAINNET'];
  const guarded = when({ amount: { asset_id, more_than: '1' } }, approval);

  test.each(transactions)('%s: refused with 400 by every route, and nothing is stored', async (_name, unsigned_tx) => {
    await stage.setPolicy(guarded);
    const before = await countSigningRequests(api);
    const signing_hash = keccak256(unsigned_tx);
    const ask = async (network_internal_code: string) => {
      const digest = { network_internal_code, signing_hash, unsigned_tx };
      for (const answer of [await sign('signRaw', digest), await sign('sign', digest)]) {
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        expect(answer.body.message).toMatch(/^unsigned_tx is for (chain 31337|no chain in particular), and /);
      }
      const transaction = { network_internal_code, unsigned_tx };
      expect(await sign('signTransaction', transaction)).toMatchObject({ status: 400 });
      const items = [
        { type: 'raw', ...digest },
        { type: 'transaction', ...transaction },
      ];
      expect((await sign('signBatch', { items })).body.data.results).toMatchObject([
        { error: { code: 'invalid_request' } },
        { error: { code: 'invalid_request' } },
      ]);
    };
    for (const code of elsewhere) await ask(code);
    expect(await countSigningRequests(api)).toBe(before);
  });

  test('of its own chain it is judged by what it moves, also where only its digest is named', async () => {
    await stage.setPolicy(guarded);
    const unsigned_tx = unsigned({});
    const body = { network_internal_code: 'ETHEREUM_SANDBOX', unsigned_tx };
    for (const answer of [
      await sign('signTransaction', body),
      await sign('signRaw', { ...body, signing_hash: keccak256(unsigned_tx) }),
    ])
      expect(answer.body.data.signing_request).toMatchObject({ status_reason: 'awaiting_approval' });
  });
});

describe('what names no chain is judged for every network that it may be valid for', () => {
  const isWaiting = (answer: Answer) => answer.body.data.signing_request.status_reason === 'awaiting_approval';

  test('a raw digest: every network of its curve', async () => {
    const digest = { network_internal_code: 'ETHER_SEPOLIA_TESTNET', signing_hash: 'ab'.repeat(32) };
    for (const guardedNetwork of ['ETHEREUM_SANDBOX', 'BTC_SANDBOX']) {
      await stage.setPolicy(when({ networks: [guardedNetwork] }));
      expect(await sign('signRaw', digest)).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
    }
    await stage.setPolicy(when({ networks: ['SOL_SANDBOX'] }));
    expect((await sign('signRaw', digest)).status).toBe(202);
  });

  test('a message: every EVM network, also in a batch', async () => {
    const message = { network_internal_code: 'ETHER_SEPOLIA_TESTNET', message: 'Hello' };
    await stage.setPolicy(when({ networks: ['ETHEREUM_SANDBOX'] }, approval));
    expect(isWaiting(await sign('signMessage', message))).toBe(true);
    const { results } = (await sign('signBatch', { items: [{ type: 'message', ...message }] })).body.data;
    expect(results).toMatchObject([{ signing_request: { status_reason: 'awaiting_approval' } }]);
    await stage.setPolicy(when({ networks: ['BTC_SANDBOX', 'SOL_SANDBOX'] }));
    expect((await sign('signMessage', message)).status).toBe(202);
  });

  test('typed data: without a chain id every EVM network, with one only its own', async () => {
    const { chainId: _, ...domain } = mail.domain;
    const types = { Person: mail.types.Person, Mail: mail.types.Mail };
    const anywhere = { network_internal_code: 'ETHEREUM_MAINNET', typed_data: { ...mail, types, domain } };
    await stage.setPolicy(when({ networks: ['ETHEREUM_SANDBOX'] }, approval));
    expect(isWaiting(await sign('signTyped', anywhere))).toBe(true);
    expect(isWaiting(await sign('signTyped', { ...anywhere, typed_data: mail }))).toBe(false);
  });

  test('a Solana message: every network of Solana', async () => {
    const unsigned_tx = solanaMessage([lamportsTo(5n)]);
    const body = { network_internal_code: 'SOL_DEVNET', unsigned_tx, derivation_path: 'm/9' };
    await stage.setPolicy(
      when({ networks: ['SOL_MAINNET'], amount: { asset_id: sandbox.SOL.assetId, more_than: '0' } }),
    );
    expect((await sign('signTransaction', body)).status).toBe(202);
    await stage.setPolicy(when({ amount: { asset_id: sandbox.SOL.assetId, more_than: '0' } }));
    expect(await sign('signTransaction', body)).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
  });

  test('the most approvals of all networks count, of approvers who are enough for each', async () => {
    const ask = (approvals: number, network: string): PolicyDocument['rules'][number] => ({
      name: network,
      when: { networks: [network] },
      then: { action: 'require_approvals', approvals },
    });
    await stage.setPolicy({
      rules: [ask(1, 'ETHER_SEPOLIA_TESTNET'), ask(3, 'ETHEREUM_SANDBOX')],
      default: { action: 'allow' },
    });
    const message = { network_internal_code: 'ETHER_SEPOLIA_TESTNET', message: 'Hello' };
    expect((await sign('signMessage', message)).body.data.signing_request.approval).toMatchObject({ required: 3 });
  });
});
