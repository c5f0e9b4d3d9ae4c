// Goal: a caller gets wallets and signatures that verify, whatever single process dies. Method: API and worker as
// processes, three real nodes, spoken to through the client only; every signature is checked by libraries that the
// service does not verify with.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import {
  blockhash,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  address as toAddress,
  verifySignature,
} from '@solana/kit';
import { Client, Connection } from '@temporalio/client';
import postgres from 'postgres';
import {
  type Address,
  type Hex,
  parseGwei,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type TransactionSerialized,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { SignDigest } from '../../src/client/client.ts';
import { toSolanaSigner } from '../../src/client/solana-signer.ts';
import { toViemAccount } from '../../src/client/viem-account.ts';
import { isValid } from '../support/api/verify.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;

let stack: Stack;
let walletId: string;
beforeAll(async () => {
  stack = await startStack();
  const created = await stack.client.createWallet({ name: 'e2e' }).wait({ timeoutMs: 5 * MINUTE_MS });
  expect(created).toMatchObject({ status: 'success' });
  walletId = created.wallet_id;
}, 8 * MINUTE_MS);
afterAll(() => stack?.stop());

const evmPaths = ['m/44/60/0/0/0', 'm/44/60/0/0/7', 'm', 'm/2147483647', 'm/1/2/3/4/5/6/7/8/9/10'];
const solanaPaths = ['m/44/501/0/0/0', 'm/44/501/3/0/0', 'm', 'm/0'];
const randomHash = (): Hex => `0x${randomBytes(32).toString('hex')}`;

function anyRequest(index: number): SignDigest {
  const onSolana = index % 2 === 1;
  const paths = onSolana ? solanaPaths : evmPaths;
  return {
    network_internal_code: onSolana ? 'SOL_SANDBOX' : 'ETHEREUM_SANDBOX',
    key_type: onSolana ? 'ed25519' : 'secp256k1',
    signing_hash: randomHash(),
    derivation_path: paths[(index >> 1) % paths.length] ?? 'm',
  };
}

async function signAndVerify(input: SignDigest): Promise<void> {
  const signed = await stack.client.sign(walletId, input).wait();
  expect(signed).toMatchObject({ status: 'success', signing_hash: input.signing_hash });
  expect(await isValid(signed)).toBe(true);
}

const readSigning = (id: string) =>
  stack.client.get('/api/v1/signing-requests/{signing_id}', { path: { signing_id: id } });

async function addressOf(addressType: 'evm' | 'sol'): Promise<string> {
  const { address } = await stack.client.get('/api/v1/wallets/{wallet_id}/address', {
    path: { wallet_id: walletId },
    query: { address_type: addressType },
  });
  return address;
}

async function signMany(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => signAndVerify(anyRequest(index))));
}

describe('100 signatures over both curves and several paths', () => {
  test('25 with all nodes up', () => signMany(25), 2 * MINUTE_MS);

  test.each([1, 2, 3])(
    '25 by the other two while node %d is away',
    async (node) => {
      await stack.cluster.kill(node);
      try {
        await signMany(25);
      } finally {
        await stack.cluster.restart(node);
      }
    },
    2 * MINUTE_MS,
  );
});

test("viem sends through the wallet: transaction, message and typed data recover to the wallet's address", async () => {
  const address = (await addressOf('evm')) as Address;
  const account = toViemAccount({ client: stack.client, walletId, network: 'ETHEREUM_SANDBOX', address });
  const signed = (await account.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: parseGwei('20'),
    maxPriorityFeePerGas: parseGwei('1'),
  })) as TransactionSerialized;
  expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(address);
  const message = 'Good morning';
  expect(await recoverMessageAddress({ message, signature: await account.signMessage({ message }) })).toBe(address);
  const mail = {
    types: { Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail',
    domain: { name: 'Ether Mail', version: '1', chainId: 31337 },
    message: { contents: 'Hello, Bob!' },
  } as const;
  const signature = await account.signTypedData(mail);
  expect(await recoverTypedDataAddress({ ...mail, signature })).toBe(address);
});

test('@solana/kit sends through the wallet: the signed transaction is complete and its signature valid', async () => {
  const address = toAddress(await addressOf('sol'));
  const signer = toSolanaSigner({ client: stack.client, walletId, network: 'SOL_SANDBOX', address });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(signer, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(address), lastValidBlockHeight: 1n }, draft),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  const signature = transaction.signatures[address];
  const key = await crypto.subtle.importKey('raw', Buffer.from(base58.decode(address)), 'Ed25519', true, ['verify']);
  expect(signature && (await verifySignature(key, signature, transaction.messageBytes))).toBe(true);
});

test("a signature's key is the BIP-32 child of the wallet's root", async () => {
  const sql = postgres(stack.databaseUrl, { max: 1 });
  const [root] = await sql`
    select public_key, chain_code from wallet_keys where wallet_id = ${walletId} and curve = 'secp256k1'`;
  await sql.end();
  const input = { ...anyRequest(0), derivation_path: 'm/5/2147483647' };
  const { public_key } = await stack.client.sign(walletId, input).wait();
  const node = new HDKey({ publicKey: root?.['public_key'], chainCode: root?.['chain_code'] });
  const child = node.derive('m/5/2147483647').publicKey;
  expect(public_key).toBe(`0x${Buffer.from(child ?? []).toString('hex')}`);
});

test('50 concurrent requests with one idempotency key are one operation with one signature', async () => {
  const input = anyRequest(0);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => stack.client.sign(walletId, input, { idempotencyKey: 'fifty' })),
  );
  const [id = '', ...others] = new Set(answers.map(({ transaction_id }) => transaction_id));
  expect(others).toEqual([]);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(await isValid(await stack.client.waitForSignature(id))).toBe(true);
});

test(
  'a node killed while it signs costs no signature',
  async () => {
    const signing = signMany(40);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await stack.cluster.kill(2);
    try {
      await signing;
    } finally {
      await stack.cluster.restart(2);
    }
  },
  2 * MINUTE_MS,
);

test(
  'with two nodes away a signature waits, says why, and is made when one is back',
  async () => {
    await Promise.all([stack.cluster.kill(1), stack.cluster.kill(3)]);
    const { transaction_id: id } = await stack.client.sign(walletId, anyRequest(1));
    await expect
      .poll(() => readSigning(id), { timeout: 60_000 })
      .toMatchObject({ status: 'submitted', status_reason: 'cluster_not_ready' });
    await stack.cluster.restart(3);
    const signed = await stack.client.waitForSignature(id);
    await stack.cluster.restart(1);
    expect(signed.status).toBe('success');
    expect(signed.status_reason).toBeUndefined();
    expect(await isValid(signed)).toBe(true);
  },
  2 * MINUTE_MS,
);

test(
  'a new wallet waits for the node that is away and is created when it is back',
  async () => {
    await stack.cluster.kill(2);
    const creating = stack.client.createWallet({ name: 'patient' });
    const { wallet_id } = await creating;
    await expect
      .poll(() => stack.client.get('/api/v1/wallets/creation-status/{wallet_id}', { path: { wallet_id } }), {
        timeout: 60_000,
      })
      .toMatchObject({ status: 'pending', status_reason: 'cluster_not_ready' });
    await stack.cluster.restart(2);
    expect(await creating.wait()).toEqual({ wallet_id, status: 'success' });
  },
  2 * MINUTE_MS,
);

test(
  'kill -9 of the worker between submission and result ends in exactly one verified signature',
  async () => {
    await Promise.all([stack.cluster.kill(1), stack.cluster.kill(2)]);
    const { transaction_id: id } = await stack.client.sign(walletId, anyRequest(0));
    await expect.poll(() => readSigning(id)).toMatchObject({ status: 'submitted' });
    stack.worker.kill('SIGKILL');
    await stack.worker.exited;
    await Promise.all([stack.cluster.restart(1), stack.cluster.restart(2)]);
    await stack.startWorker();
    const signed = await stack.client.waitForSignature(id);
    expect(await isValid(signed)).toBe(true);
    expect(signed.mpc_correlation_id).toMatch(new RegExp(`^${id}\\.\\d+$`));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(await readSigning(id)).toEqual(signed);
  },
  2 * MINUTE_MS,
);

test(
  'kill -9 of the worker in the midst of many signatures loses none',
  async () => {
    const worker = await stack.startWorker();
    const signing = signMany(40);
    await new Promise((resolve) => setTimeout(resolve, 250));
    worker.kill('SIGKILL');
    await signing;
  },
  2 * MINUTE_MS,
);

test(
  'K4: none is lost while a node is taken off the cluster file, and the other two go on',
  async () => {
    const pid = stack.cluster.pidOf(1);
    const hasNewFile = () => stack.cluster.isRunning(1) && stack.cluster.pidOf(1) !== pid;
    const signing = signMany(20);
    const putBack = stack.cluster.takeOff(3);
    try {
      await expect.poll(hasNewFile, { timeout: 60_000 }).toBe(true);
      await signing;
      await signMany(10);
    } finally {
      putBack();
      await stack.cluster.restart(3);
    }
    await signMany(10);
  },
  2 * MINUTE_MS,
);

test('no secret stands in a log, a history or a row', async () => {
  const { id } = await stack.client.sign(walletId, anyRequest(0)).wait();
  const temporal = new Client({ connection: await Connection.connect({ address: stack.temporal.address }) });
  const histories = await Promise.all(
    [workflowIdOf('sign', id), workflowIdOf('createWallet', walletId)].map((workflow) =>
      temporal.workflow.getHandle(workflow).fetchHistory(),
    ),
  );
  await temporal.connection.close();
  const sql = postgres(stack.databaseUrl, { max: 1 });
  const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`;
  const rows = await Promise.all(tables.map(({ table_name }) => sql`select to_jsonb(t) from ${sql(table_name)} t`));
  await sql.end();
  const logs = readdirSync(stack.logDirectory).map((file) => readFileSync(join(stack.logDirectory, file), 'utf8'));
  // Payloads in a history are base64: what they hold is searched as well.
  const history = JSON.stringify(histories, (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  const haystack = [history, JSON.stringify(rows), ...logs].join('\n');
  expect(haystack).toContain(id);
  for (const secret of stack.secrets) {
    for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
      expect(haystack.includes(form.trim())).toBe(false);
  }
});
