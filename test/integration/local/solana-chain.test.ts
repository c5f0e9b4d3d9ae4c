// Goal: the sandbox's Solana behaves to @solana/kit as a node does: what it executes, what it refuses, what it tells
// about it, also after a restart. Method: the process as `npm start` supervises it, asked through kit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  address,
  blockhash,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  type Instruction,
  lamports,
  type Signature,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import {
  fundedSolanaClient,
  refusalOf,
  type Signed,
  SOL,
  type SolanaClient,
  signFor,
} from '../../support/chains/solana.ts';

const FEE = 5_000n;

let directory: string;
let chain: TestChain;
let client: SolanaClient;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  chain = await startTestSolana(directory);
  client = await fundedSolanaClient(chain.address);
});
afterAll(async () => {
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

function transferTo(destination: Address, amount: bigint): Instruction {
  return getTransferSolInstruction({ source: client.payer, destination, amount: lamports(amount) });
}

test('a transfer: balances before and after, fee, slot and time', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const { slot, blockTime, meta, transaction } = await client.execute(transferTo(recipient, 3n * SOL));
  expect(meta).toMatchObject({ err: null, fee: FEE, status: { Ok: null } });
  const index = transaction.message.accountKeys.indexOf(recipient);
  expect([meta.preBalances[index], meta.postBalances[index]]).toEqual([0n, 3n * SOL]);
  expect((meta.preBalances[0] ?? 0n) - (meta.postBalances[0] ?? 0n)).toBe(3n * SOL + FEE);
  expect(Math.abs(Number(blockTime) - Date.now() / 1000)).toBeLessThan(5);
  expect(await client.rpc.getSlot().send()).toBeGreaterThanOrEqual(slot);
  expect((await client.rpc.getBalance(recipient).send()).value).toBe(3n * SOL);
});

test('tokens: a mint, two accounts and a transfer with the owners and amounts of both', async () => {
  const mint = await generateKeyPairSigner();
  const recipient = (await generateKeyPairSigner()).address;
  const accountOf = async (owner: Address) =>
    (await findAssociatedTokenPda({ owner, mint: mint.address, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];
  const [source, destination] = [await accountOf(client.payer.address), await accountOf(recipient)];
  const create = (ata: Address, owner: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({ payer: client.payer, ata, owner, mint: mint.address });
  await client.execute(
    getCreateAccountInstruction({
      payer: client.payer,
      newAccount: mint,
      lamports: await client.rpc.getMinimumBalanceForRentExemption(82n).send(),
      space: 82n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: client.payer.address }),
    create(source, client.payer.address),
    getMintToInstruction({ mint: mint.address, token: source, mintAuthority: client.payer, amount: 5_000_000n }),
  );
  const { signature, meta, transaction } = await client.execute(
    create(destination, recipient),
    getTransferCheckedInstruction({
      source,
      mint: mint.address,
      destination,
      authority: client.payer,
      amount: 1_250_000n,
      decimals: 6,
    }),
  );

  const ofRecipient = {
    accountIndex: transaction.message.accountKeys.indexOf(destination),
    mint: mint.address,
    owner: recipient,
    programId: TOKEN_PROGRAM_ADDRESS,
  };
  expect(meta.preTokenBalances).toMatchObject([{ owner: client.payer.address, uiTokenAmount: { amount: '5000000' } }]);
  expect(meta.postTokenBalances).toHaveLength(2);
  expect(meta.postTokenBalances).toContainEqual(
    expect.objectContaining({
      ...ofRecipient,
      uiTokenAmount: { amount: '1250000', decimals: 6, uiAmount: 1.25, uiAmountString: '1.25' },
    }),
  );
  expect(meta.innerInstructions?.length).toBe(1); // the creation of the account calls other programs
  expect((await client.rpc.getTokenAccountBalance(destination).send()).value.amount).toBe('1250000');
  const owned = await client.rpc
    .getTokenAccountsByOwner(recipient, { mint: mint.address }, { encoding: 'jsonParsed' })
    .send();
  expect(owned.value).toMatchObject([
    { pubkey: destination, account: { data: { parsed: { info: { owner: recipient, mint: mint.address } } } } },
  ]);
  // The recipient's own address is in no instruction but the creation of its account.
  const history = await client.rpc.getSignaturesForAddress(destination).send();
  expect(history.map((each) => each.signature)).toEqual([signature]);
});

test('refuses a forged signature, a repetition, an unknown blockhash and what would fail', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const transaction = await client.sign(transferTo(recipient, SOL));
  const forged = {
    ...transaction,
    signatures: { [client.payer.address]: new Uint8Array(64).fill(1) },
  } as unknown as Signed;
  await expect(client.send(forged)).rejects.toMatchObject({
    context: { __code: SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE },
  });
  await client.confirm(await client.send(transaction));
  expect(await refusalOf(client.send(transaction))).toMatchObject({
    context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED },
  });
  const unknown = await signFor(client.payer, [transferTo(recipient, SOL)], {
    blockhash: blockhash('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'),
    lastValidBlockHeight: 0n,
  });
  expect(await refusalOf(client.send(unknown))).toMatchObject({
    context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND },
  });
  expect(await refusalOf(client.send(await client.sign(transferTo(recipient, 1_000n * SOL))))).toMatchObject({
    context: { __code: SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM, code: 1, index: 0 },
  });
  expect((await client.rpc.getBalance(recipient).send()).value).toBe(SOL);
});

test('without preflight a failing transaction lands, costs its fee and moves nothing', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const before = (await client.rpc.getBalance(client.payer.address).send()).value;
  const signature = await client.send(await client.sign(transferTo(recipient, 1_000n * SOL)), true);
  const { meta } = await client.confirm(signature);
  expect(meta).toMatchObject({ err: { InstructionError: [0n, { Custom: 1n }] }, fee: FEE });
  expect((await client.rpc.getBalance(client.payer.address).send()).value).toBe(before - FEE);
  expect((await client.rpc.getBalance(recipient).send()).value).toBe(0n);
});

test('a simulation needs no signature and changes nothing', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const transaction = await client.sign(transferTo(recipient, SOL));
  const unsigned = { ...transaction, signatures: { [client.payer.address]: null } } as unknown as Signed;
  const wire = getBase64EncodedWireTransaction(unsigned);
  const simulated = await client.rpc.simulateTransaction(wire, { encoding: 'base64' }).send();
  expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 150n });
  const checked = await client.rpc.simulateTransaction(wire, { encoding: 'base64', sigVerify: true }).send();
  expect(checked.value.err).toBe('SignatureFailure');
  expect((await client.rpc.getBalance(recipient).send()).value).toBe(0n);
});

test('tells the fee of a message beforehand, with what it offers on top', async () => {
  const setUnitPrice: Instruction = {
    programAddress: address('ComputeBudget111111111111111111111111111111'),
    data: new Uint8Array([3, ...new Uint8Array(new BigUint64Array([7_000_000n]).buffer)]),
  };
  const transaction = await client.sign(setUnitPrice, transferTo((await generateKeyPairSigner()).address, SOL));
  const message = getBase64Decoder().decode(transaction.messageBytes) as Parameters<
    SolanaClient['rpc']['getFeeForMessage']
  >[0];
  const { value: fee } = await client.rpc.getFeeForMessage(message).send();
  expect(fee).toBeGreaterThan(FEE);
  expect((await client.confirm(await client.send(transaction))).meta.fee).toBe(fee);
});

test('pages the signatures of an address, newest first', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const sent: Signature[] = [];
  for (const amount of [1n, 2n, 3n, 4n])
    sent.unshift(await client.send(await client.sign(transferTo(recipient, amount * SOL))));
  await client.confirm(sent[0] as Signature);
  const page = async (options: { before?: Signature; until?: Signature; limit?: number }) =>
    (await client.rpc.getSignaturesForAddress(recipient, options as { before: Signature }).send()).map(
      ({ signature }) => signature,
    );
  expect(await page({})).toEqual(sent);
  expect(await page({ limit: 2 })).toEqual(sent.slice(0, 2));
  expect(await page({ before: sent[1] as Signature })).toEqual(sent.slice(2));
  expect(await page({ until: sent[2] as Signature })).toEqual(sent.slice(0, 2));
  expect(await page({ before: sent[0] as Signature, until: sent[3] as Signature })).toEqual(sent.slice(1, 3));
});

test('its blocks hold every transaction and name their parents', async () => {
  const { signature, slot } = await client.execute(transferTo((await generateKeyPairSigner()).address, SOL));
  const slots = await client.rpc.getBlocks(0n).send();
  expect(slots.at(-1)).toBe(slot);
  expect(slots[0]).toBe(0n);
  expect(await client.rpc.getBlocksWithLimit(0n, 2).send()).toEqual(slots.slice(0, 2));
  const show = (each: bigint) =>
    client.rpc
      .getBlock(each, { encoding: 'json', maxSupportedTransactionVersion: 0, transactionDetails: 'full' })
      .send();
  const block = await show(slot);
  expect(block?.transactions.map(({ transaction }) => transaction.signatures[0])).toContain(signature);
  const parent = slots.at(-2);
  if (parent === undefined) throw new Error('the first block has no parent');
  expect(await show(0n)).toMatchObject({ blockhash: await client.rpc.getGenesisHash().send(), transactions: [] });
  expect(block).toMatchObject({ parentSlot: parent, previousBlockhash: (await show(parent))?.blockhash });
});

test('shows a transaction of version 0 to those only who ask for it', async () => {
  const { signature } = await client.execute(transferTo((await generateKeyPairSigner()).address, SOL));
  await expect(client.rpc.getTransaction(signature, { encoding: 'json' }).send()).rejects.toMatchObject({
    context: { __code: SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION },
  });
  const shown = await client.rpc
    .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
    .send();
  const message = getBase64Encoder()
    .encode(shown?.transaction[0] ?? '')
    .slice(65);
  expect(getCompiledTransactionMessageDecoder().decode(message).version).toBe(0);
});

test('a page of a browser gets nothing', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
  const asked = await fetch(chain.address, { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
  expect(asked.status).toBe(415);
  expect(asked.headers.get('access-control-allow-origin')).toBeNull();
});

test('killed, it comes back with its accounts and its history, and still refuses a repetition', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const transaction = await client.sign(transferTo(recipient, 2n * SOL));
  const before = await client.confirm(await client.send(transaction));
  const killed = chain.part();
  killed.kill('SIGKILL');
  await killed.exited;
  const status = () =>
    client.rpc
      .getHealth()
      .send()
      .catch(() => 'away');
  await expect.poll(status, { timeout: 60_000 }).toBe('ok');
  expect(chain.part().pid).not.toBe(killed.pid);
  expect((await client.rpc.getBalance(recipient).send()).value).toBe(2n * SOL);
  expect(await client.confirm(getSignatureFromTransaction(transaction))).toEqual(before);
  expect(await refusalOf(client.send(transaction))).toMatchObject({
    context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED },
  });
  await client.rpc.requestAirdrop(recipient, lamports(SOL)).send();
  expect((await client.rpc.getBalance(recipient).send()).value).toBe(3n * SOL);
}, 120_000);
