// Goal: the sandbox's Solana behaves to @solana/kit as a node does: what it executes, what it refuses, what it tells about it, also after a
// restart. Method: the process as `npm start` supervises it; where time matters, the chain itself with a clock of the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
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
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { startTestSolana, type TestChain } from '../../support/chains.ts';

const SOL = 1_000_000_000n;
const FEE = 5_000n;

let directory: string;
let chain: TestChain;
let payer: KeyPairSigner;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  chain = await startTestSolana(directory);
  payer = await generateKeyPairSigner();
  await rpc()
    .requestAirdrop(payer.address, lamports(100n * SOL))
    .send();
});
afterAll(async () => {
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

const rpc = () => createSolanaRpc(chain.address);

function transferTo(destination: Address, amount: bigint): Instruction {
  return getTransferSolInstruction({ source: payer, destination, amount: lamports(amount) });
}

async function sign(instructions: Instruction[], recent?: Blockhash) {
  const { blockhash, lastValidBlockHeight } = (await rpc().getLatestBlockhash().send()).value;
  return signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash: recent ?? blockhash, lastValidBlockHeight }, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
}

type Signed = Awaited<ReturnType<typeof sign>>;

function send(transaction: Signed, skipPreflight = false): Promise<Signature> {
  return rpc()
    .sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64', skipPreflight })
    .send();
}

/** Waits until the slot is over: then the transaction is final. */
async function confirm(signature: Signature) {
  const status = async () => (await rpc().getSignatureStatuses([signature]).send()).value[0];
  await expect.poll(status, { timeout: 5_000 }).toMatchObject({ confirmationStatus: 'finalized' });
  const shown = await rpc().getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send();
  if (shown?.meta == null) throw new Error('a final transaction is not shown');
  return { ...shown, meta: shown.meta };
}

async function executed(...instructions: Instruction[]) {
  const signature = await send(await sign(instructions));
  return { signature, ...(await confirm(signature)) };
}

/** The cause that kit reads out of a refused transaction. */
async function refusalOf(sending: Promise<unknown>): Promise<unknown> {
  const error = await sending.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) throw error;
  return error.cause;
}

test('a transfer: balances before and after, fee, slot and time', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const { slot, blockTime, meta, transaction } = await executed(transferTo(recipient, 3n * SOL));
  expect(meta).toMatchObject({ err: null, fee: FEE, status: { Ok: null } });
  const index = transaction.message.accountKeys.indexOf(recipient);
  expect([meta.preBalances[index], meta.postBalances[index]]).toEqual([0n, 3n * SOL]);
  expect((meta.preBalances[0] ?? 0n) - (meta.postBalances[0] ?? 0n)).toBe(3n * SOL + FEE);
  expect(Math.abs(Number(blockTime) - Date.now() / 1000)).toBeLessThan(5);
  expect(await rpc().getSlot().send()).toBeGreaterThanOrEqual(slot);
  expect((await rpc().getBalance(recipient).send()).value).toBe(3n * SOL);
});

test('tokens: a mint, two accounts and a transfer with the owners and amounts of both', async () => {
  const mint = await generateKeyPairSigner();
  const recipient = (await generateKeyPairSigner()).address;
  const accountOf = async (owner: Address) =>
    (await findAssociatedTokenPda({ owner, mint: mint.address, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];
  const [source, destination] = [await accountOf(payer.address), await accountOf(recipient)];
  const create = (ata: Address, owner: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint: mint.address });
  await executed(
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: await rpc().getMinimumBalanceForRentExemption(82n).send(),
      space: 82n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: payer.address }),
    create(source, payer.address),
    getMintToInstruction({ mint: mint.address, token: source, mintAuthority: payer, amount: 5_000_000n }),
  );
  const { signature, meta, transaction } = await executed(
    create(destination, recipient),
    getTransferCheckedInstruction({
      source,
      mint: mint.address,
      destination,
      authority: payer,
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
  expect(meta.preTokenBalances).toMatchObject([{ owner: payer.address, uiTokenAmount: { amount: '5000000' } }]);
  expect(meta.postTokenBalances).toHaveLength(2);
  expect(meta.postTokenBalances).toContainEqual(
    expect.objectContaining({
      ...ofRecipient,
      uiTokenAmount: { amount: '1250000', decimals: 6, uiAmount: 1.25, uiAmountString: '1.25' },
    }),
  );
  expect(meta.innerInstructions?.length).toBe(1); // the creation of the account calls other programs
  expect((await rpc().getTokenAccountBalance(destination).send()).value.amount).toBe('1250000');
  const owned = await rpc()
    .getTokenAccountsByOwner(recipient, { mint: mint.address }, { encoding: 'jsonParsed' })
    .send();
  expect(owned.value).toMatchObject([
    { pubkey: destination, account: { data: { parsed: { info: { owner: recipient, mint: mint.address } } } } },
  ]);
  // The recipient's own address is in no instruction but the creation of its account.
  const history = await rpc().getSignaturesForAddress(destination).send();
  expect(history.map((each) => each.signature)).toEqual([signature]);
});

test('refuses a forged signature, a repetition, an unknown blockhash and what would fail', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const transaction = await sign([transferTo(recipient, SOL)]);
  const forged = { ...transaction, signatures: { [payer.address]: new Uint8Array(64).fill(1) } } as unknown as Signed;
  await expect(send(forged)).rejects.toMatchObject({
    context: { __code: SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE },
  });
  await confirm(await send(transaction));
  expect(await refusalOf(send(transaction))).toMatchObject({
    context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED },
  });
  const unknown = await sign([transferTo(recipient, SOL)], blockhash('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'));
  expect(await refusalOf(send(unknown))).toMatchObject({
    context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND },
  });
  expect(await refusalOf(send(await sign([transferTo(recipient, 1_000n * SOL)])))).toMatchObject({
    context: { __code: SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM, code: 1, index: 0 },
  });
  expect((await rpc().getBalance(recipient).send()).value).toBe(SOL);
});

test('without preflight a failing transaction lands, costs its fee and moves nothing', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const before = (await rpc().getBalance(payer.address).send()).value;
  const signature = await send(await sign([transferTo(recipient, 1_000n * SOL)]), true);
  const { meta } = await confirm(signature);
  expect(meta).toMatchObject({ err: { InstructionError: [0n, { Custom: 1n }] }, fee: FEE });
  expect((await rpc().getBalance(payer.address).send()).value).toBe(before - FEE);
  expect((await rpc().getBalance(recipient).send()).value).toBe(0n);
});

test('a simulation needs no signature and changes nothing', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const transaction = await sign([transferTo(recipient, SOL)]);
  const unsigned = { ...transaction, signatures: { [payer.address]: null } } as unknown as Signed;
  const wire = getBase64EncodedWireTransaction(unsigned);
  const simulated = await rpc().simulateTransaction(wire, { encoding: 'base64' }).send();
  expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 150n });
  const checked = await rpc().simulateTransaction(wire, { encoding: 'base64', sigVerify: true }).send();
  expect(checked.value.err).toBe('SignatureFailure');
  expect((await rpc().getBalance(recipient).send()).value).toBe(0n);
});

test('tells the fee of a message beforehand, with what it offers on top', async () => {
  const setUnitPrice: Instruction = {
    programAddress: address('ComputeBudget111111111111111111111111111111'),
    data: new Uint8Array([3, ...new Uint8Array(new BigUint64Array([7_000_000n]).buffer)]),
  };
  const transaction = await sign([setUnitPrice, transferTo((await generateKeyPairSigner()).address, SOL)]);
  const message = getBase64Decoder().decode(transaction.messageBytes) as Parameters<
    ReturnType<typeof rpc>['getFeeForMessage']
  >[0];
  const { value: fee } = await rpc().getFeeForMessage(message).send();
  expect(fee).toBeGreaterThan(FEE);
  expect((await confirm(await send(transaction))).meta.fee).toBe(fee);
});

test('pages the signatures of an address, newest first', async () => {
  const recipient = (await generateKeyPairSigner()).address;
  const sent: Signature[] = [];
  for (const amount of [1n, 2n, 3n, 4n]) sent.unshift(await send(await sign([transferTo(recipient, amount * SOL)])));
  await confirm(sent[0] as Signature);
  const page = async (options: { before?: Signature; until?: Signature; limit?: number }) =>
    (
      await rpc()
        .getSignaturesForAddress(recipient, options as { before: Signature })
        .send()
    ).map(({ signature }) => signature);
  expect(await page({})).toEqual(sent);
  expect(await page({ limit: 2 })).toEqual(sent.slice(0, 2));
  expect(await page({ before: sent[1] as Signature })).toEqual(sent.slice(2));
  expect(await page({ until: sent[2] as Signature })).toEqual(sent.slice(0, 2));
  expect(await page({ before: sent[0] as Signature, until: sent[3] as Signature })).toEqual(sent.slice(1, 3));
});

test('its blocks hold every transaction and name their parents', async () => {
  const { signature, slot } = await executed(transferTo((await generateKeyPairSigner()).address, SOL));
  const slots = await rpc().getBlocks(0n).send();
  expect(slots.at(-1)).toBe(slot);
  const show = (each: bigint) =>
    rpc().getBlock(each, { encoding: 'json', maxSupportedTransactionVersion: 0, transactionDetails: 'full' }).send();
  const block = await show(slot);
  expect(block?.transactions.map(({ transaction }) => transaction.signatures[0])).toContain(signature);
  const parent = slots.at(-2) ?? 0n;
  expect(block).toMatchObject({ parentSlot: parent, previousBlockhash: (await show(parent))?.blockhash });
});

test('shows a transaction of version 0 to those only who ask for it', async () => {
  const { signature } = await executed(transferTo((await generateKeyPairSigner()).address, SOL));
  await expect(rpc().getTransaction(signature, { encoding: 'json' }).send()).rejects.toMatchObject({
    context: { __code: SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION },
  });
  const shown = await rpc().getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 }).send();
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
  const transaction = await sign([transferTo(recipient, 2n * SOL)]);
  const before = await confirm(await send(transaction));
  const killed = chain.part();
  killed.kill('SIGKILL');
  await killed.exited;
  const status = () =>
    rpc()
      .getHealth()
      .send()
      .catch(() => 'away');
  await expect.poll(status, { timeout: 15_000 }).toBe('ok');
  expect(chain.part().pid).not.toBe(killed.pid);
  expect((await rpc().getBalance(recipient).send()).value).toBe(2n * SOL);
  expect(await confirm(getSignatureFromTransaction(transaction))).toEqual(before);
  expect(await refusalOf(send(transaction))).toMatchObject({
    context: { __code: SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED },
  });
  await rpc().requestAirdrop(recipient, lamports(SOL)).send();
  expect((await rpc().getBalance(recipient).send()).value).toBe(3n * SOL);
}, 30_000);

test('takes a blockhash for 150 blocks and not for one more', async () => {
  await withClock(async (local, wait) => {
    const { blockhash: recent, lastValidBlockHeight } = local.latestBlockhash();
    const signed = async (amount: bigint) => wireOf(await sign([transferTo(payer.address, amount)], recent));
    await local.airdrop(payer.address, 10n * SOL);
    wait(149);
    expect(BigInt(local.slots.completed)).toBe(lastValidBlockHeight - 1n);
    local.send(await signed(1n), false);
    wait(1);
    await expect(signed(2n).then((wire) => local.send(wire, false))).rejects.toThrow(/BlockhashNotFound/);
    const dropped = local.send(await signed(2n), true);
    wait(1);
    expect(local.find(dropped)).toBeUndefined();
  });
});

test('shows a transaction when its slot is over, so that who has read a slot has read all of it', async () => {
  await withClock(async (local, wait) => {
    const signature = await local.airdrop(payer.address, SOL);
    expect(local.find(signature)).toBeUndefined();
    expect(local.ofAddress(payer.address)).toEqual([]);
    wait(1);
    expect(local.find(signature)?.slot).toBe(local.slots.completed);
    expect(local.ofAddress(payer.address)).toHaveLength(1);
  });
});

test('finds a recipient that a transaction names through a lookup table', async () => {
  await withClock(async (local, wait) => {
    const recipient = (await generateKeyPairSigner()).address;
    const table = (await generateKeyPairSigner()).address;
    const data = new Uint8Array([...lookupTableHeader, ...getBase58Encoder().encode(recipient)]);
    const programAddress = address('AddressLookupTab1e1111111111111111111111111');
    const account = { lamports: lamports(SOL), programAddress, executable: false, data, space: BigInt(data.length) };
    local.svm.setAccount({ address: table, ...account });
    await local.airdrop(payer.address, 10n * SOL);
    wait(1);
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(local.latestBlockhash(), paid),
      (timed) => appendTransactionMessageInstructions([transferTo(recipient, SOL)], timed),
      (whole) => compressTransactionMessageUsingAddressLookupTables(whole, { [table]: [recipient] }),
    );
    const signature = local.send(wireOf(await signTransactionMessageWithSigners(message)), false);
    wait(1);
    expect(local.ofAddress(recipient).map((each) => each.signature)).toEqual([signature]);
    const found = local.find(signature);
    expect(found?.loaded).toEqual({ writable: [recipient], readonly: [] });
    expect(found?.after.lamports.at(-1)).toBe(SOL);
  });
});

/** A table that is in use: its kind, never deactivated, extended in slot 0 from index 0, without an authority. */
const lookupTableHeader = [...[1, 0, 0, 0], ...Array<number>(8).fill(255), ...Array<number>(44).fill(0)];

function wireOf(transaction: Signed) {
  return getBase64Encoder().encode(getBase64EncodedWireTransaction(transaction) as Base64EncodedWireTransaction);
}

async function withClock(story: (local: SolanaChain, wait: (slots: number) => void) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  let nowMs = Date.now();
  try {
    await story(await SolanaChain.open(folder, () => nowMs), (slots) => {
      nowMs += slots * 400;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
