// Goal: controls T7 and T8 as a caller meets them: what the nodes' own policy or the approver does not allow is not
// signed, and the signing request says so. Method: three real nodes with a policy, a real approver over HTTP, the
// product's workflow and activities on real PostgreSQL and Temporal. The 500 hostile commands and more are in
// mpc/tests/nodes/hostile.rs.
import { address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { v4 } from 'uuid';
import { type Address, encodeFunctionData, erc20Abi, type Hex, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpApprover } from '../../../activities/mpc/client/approver.ts';
import { connectCluster } from '../../../activities/mpc/client/connect-cluster.ts';
import { type Cluster, ClusterError } from '../../../activities/mpc/port.ts';
import type { Command } from '../../../activities/mpc/transport/wire.ts';
import { deriveChild } from '../../../activities/mpc/verify/derive-child-key.ts';
import type { SigningPayload } from '../../../domain/signing/signing-payload.ts';
import { mail } from '../../support/api/sign.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { startApprover, type TestApprover } from '../../support/cluster/approver.ts';
import { startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';
import { type NodesAndWorker, startNodesAndWorker } from '../../support/cluster/nodes-and-worker.ts';
import { onEvm, onSolana, readSigningRequest } from '../../support/rows/operation-rows.ts';

const BUILD_MS = 300_000;
const ALLOWED: Address = '0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1';
/** The nodes' policy allows it too; only the approver does not. */
const DISLIKED: Address = '0xd2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2';
const THIEF: Address = '0x9999999999999999999999999999999999999999';

let approver: TestApprover;
let nodes: TestCluster;
let cluster: Cluster;
let service: NodesAndWorker;
let walletId: string;
let solanaKey: Uint8Array;

/** It reads what it is to sign, as a node does. */
const agrees = ({ operation }: Command) =>
  operation.kind !== 'Sign' ||
  operation.payload.kind !== 'EvmTransaction' ||
  !Buffer.from(operation.payload.unsigned).includes(Buffer.from(DISLIKED.slice(2), 'hex'));

beforeAll(async () => {
  approver = await startApprover(agrees);
  const chains = { '1': { destinations: [ALLOWED, DISLIKED], amount_max: String(1000n + FEE) } };
  nodes = await startTestCluster({ policy: { evm: { chains }, approver_public_key: approver.publicKey } });
  cluster = connectCluster({ ...nodes.config, approve: httpApprover(approver.url) });
  service = await startNodesAndWorker('node-policy-refusals', nodes, cluster);
  walletId = await service.newWallet();
  const root = await cluster.generateKey({ walletId, curve: 'ed25519' });
  solanaKey = deriveChild('ed25519', root, [44, 501, 0, 0]);
}, BUILD_MS);
afterAll(async () => {
  await service?.stop();
  await approver?.stop();
});

async function sign(payload: SigningPayload) {
  const chosen = payload.kind === 'solana_transaction' ? { ...onSolana, path: [44, 501, 0, 0] } : onEvm;
  const { id, handle } = await service.ask(walletId, payload, chosen);
  await handle.result();
  return readSigningRequest(service.db, id);
}

/** Of each transaction here at most; the nodes count it with the amount. */
const GAS = 60_000n;
const MAX_FEE_PER_GAS = 30n;
const FEE = GAS * MAX_FEE_PER_GAS;

function transaction(to: Address | undefined, value: bigint, data: Hex = '0x', chainId = 1): SigningPayload {
  const fields = { chainId, nonce: 7, gas: GAS, maxFeePerGas: MAX_FEE_PER_GAS, maxPriorityFeePerGas: 1n, value, data };
  return { kind: 'evm_transaction', hex: serializeTransaction({ type: 'eip1559', ...fields, ...(to && { to }) }) };
}

const refused = (words: string, errorCode = 'policy_refused') => ({
  status: 'failed',
  statusReason: 'policy_denied',
  errorCode,
  errorReason: expect.stringContaining(words),
  signature: null,
});

describe('T7: each node reads the transaction itself', () => {
  test('what its policy allows is signed', async () => {
    expect(await sign(transaction(ALLOWED, 1000n))).toMatchObject({ status: 'success' });
  });

  test.each<[string, SigningPayload, string]>([
    ['another destination', transaction(THIEF, 1n), 'this destination'],
    ['an amount above the limit', transaction(ALLOWED, 1001n), 'so high an amount'],
    ['another chain', transaction(ALLOWED, 1n, '0x', 5), 'this chain'],
    ['a digest that nobody can read', { kind: 'raw_digest', hex: `0x${'5a'.repeat(32)}` }, 'raw digests'],
  ])('%s is not signed', async (_name, payload, words) => {
    expect(await sign(payload)).toMatchObject(refused(words));
  });
});

describe('T8: what gives power away is refused', () => {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [THIEF, 2n ** 256n - 1n] });
  const permit: SigningPayload = {
    kind: 'evm_typed_data',
    typedData: {
      ...mail,
      types: {
        EIP712Domain: mail.types.EIP712Domain,
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { owner: ALLOWED, spender: THIEF, value: '1' },
    },
  };
  const safe: SigningPayload = {
    kind: 'evm_typed_data',
    typedData: {
      ...mail,
      types: {
        EIP712Domain: mail.types.EIP712Domain,
        SafeTx: [
          ['to', 'address'],
          ['value', 'uint256'],
          ['data', 'bytes'],
          ['operation', 'uint8'],
          ['safeTxGas', 'uint256'],
          ['baseGas', 'uint256'],
          ['gasPrice', 'uint256'],
          ['gasToken', 'address'],
          ['refundReceiver', 'address'],
          ['nonce', 'uint256'],
        ].map(([name = '', type = '']) => ({ name, type })),
      },
      primaryType: 'SafeTx',
      message: {
        to: ALLOWED,
        value: '0',
        data: '0x',
        operation: 1,
        safeTxGas: '0',
        baseGas: '0',
        gasPrice: '0',
        gasToken: ALLOWED,
        refundReceiver: ALLOWED,
        nonce: '0',
      },
    },
  };

  test.each<[string, SigningPayload, string]>([
    ['an approval', transaction(ALLOWED, 0n, approve), 'approvals'],
    ['an upgrade', transaction(ALLOWED, 0n, `0x3659cfe6${'0'.repeat(64)}`), 'upgrades'],
    ['an unknown call', transaction(ALLOWED, 0n, '0x01020304'), 'does not know'],
    ['a new contract', transaction(undefined, 0n, '0x6000'), 'create contracts'],
    ['a permit', permit, 'permits'],
    ["a Safe's delegatecall", safe, 'delegatecalls'],
    ['typed data that nobody named', { kind: 'evm_typed_data', typedData: mail }, 'does not know'],
    ['a digest as a message', { kind: 'evm_message', hex: `0x${'5f'.repeat(32)}` }, 'digest'],
  ])('%s', async (_name, payload, words) => {
    expect(await sign(payload)).toMatchObject(refused(words));
  });

  test('a new authority on Solana, beside a transfer that is allowed', async () => {
    const key = (text: string) => Buffer.from(getAddressEncoder().encode(address(text)));
    const token = key('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
    const account = Buffer.alloc(32, 0x51);
    const setAuthority = Buffer.concat([Buffer.of(6, 2, 1), account]);
    const message = Buffer.concat([
      Buffer.of(1, 0, 1, 3),
      solanaKey,
      account,
      token,
      Buffer.alloc(32, 9),
      Buffer.of(1, 2, 2, 1, 0, setAuthority.length),
      setAuthority,
    ]);
    expect(getAddressDecoder().decode(token)).toBe('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
    const payload: SigningPayload = { kind: 'solana_transaction', hex: `0x${message.toString('hex')}` };
    expect(await sign(payload)).toMatchObject(refused('authorities'));
  });
});

describe('the second key', () => {
  test('what the approver dislikes is not signed, though the nodes would', async () => {
    expect(await sign(transaction(DISLIKED, 1n))).toMatchObject(refused('does not approve', 'approver_refused'));
  });

  const asked = (payload: SigningPayload) => {
    if (payload.kind !== 'evm_transaction') throw new Error('a transaction');
    const unsigned = Buffer.from(payload.hex.slice(2), 'hex');
    const task = { operationId: v4(), attempt: 1, walletId, curve: 'secp256k1' as const, path: [44, 60, 0, 0, 0] };
    return { ...task, payload: { kind: 'evm_transaction' as const, unsigned } };
  };

  test('a stolen command key alone gets nothing', async () => {
    const failure = await nodes.cluster
      .sign(asked(transaction(ALLOWED, 1n)), anySignature)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClusterError);
    expect(failure).toMatchObject({ code: 'policy_refused', message: expect.stringContaining('a second key') });
  });

  test('the approval of one command is none for another', async () => {
    const kept: Uint8Array[] = [];
    const honest = httpApprover(approver.url);
    const reusing = connectCluster({
      ...nodes.config,
      approve: async (command) => {
        kept.push(await honest(command));
        return kept[0] ?? Buffer.alloc(64);
      },
    });
    try {
      await reusing.sign(asked(transaction(ALLOWED, 1n)), anySignature);
      const again = reusing.sign(asked(transaction(ALLOWED, 2n)), anySignature);
      await expect(again).rejects.toMatchObject({ code: 'policy_refused' });
    } finally {
      await reusing.close();
    }
  });

  test('an approver that is away is waited for', async () => {
    const away = connectCluster({ ...nodes.config, approve: httpApprover('http://127.0.0.1:9/') });
    try {
      const failure = away.sign(asked(transaction(ALLOWED, 1n)), anySignature);
      await expect(failure).rejects.toMatchObject({ code: 'cluster_not_ready', retryable: true });
    } finally {
      await away.close();
    }
  });

  test.each(['http://approver.example/', 'ftp://127.0.0.1/', 'approver'])('is not asked at %s', (url) => {
    expect(() => httpApprover(url)).toThrow('neither https nor http on this machine');
  });
});
