// Goal: a transfer of SOL or of a token moves exactly what the chain's own balances show, once, for the fee that was
// quoted, or nothing. Method: the port against the sandbox's Solana as its own process; a local key signs the payloads.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase64Decoder,
  lamports,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { AuthorityType, getSetAuthorityInstruction } from '@solana-program/token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExpiringChain } from '../../../activities/chains/port/chain.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Asset, Inclusion, Transfer } from '../../../activities/chains/port/transactions.ts';
import { isExpiredSolana } from '../../../activities/chains/solana/follow-transaction.ts';
import { connectSolana } from '../../../activities/chains/solana/rpc.ts';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import {
  fundedSolanaClient,
  inboundTransfersIn,
  makeMint,
  SOL,
  type SolanaClient,
  solanaKey,
  tokenAccountOf,
} from '../../support/chains/solana.ts';

const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const NATIVE: Asset = { contract: null, decimals: 9 };
/** Of a token account of 165 bytes. */
const RENT = 2_039_280n;

let directory: string;
let node: TestChain;
let client: SolanaClient;
let chain: ExpiringChain;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  node = await startTestSolana(directory);
  client = await fundedSolanaClient(node.address);
  chain = solanaChain({ rpcUrl: node.address, genesisHash: await client.rpc.getGenesisHash().send() });
});
afterAll(async () => {
  await node.stop();
  rmSync(directory, { recursive: true, force: true });
});

const stranger = async () => (await generateKeyPairSigner()).address;
const token = (mint: Address): Asset => ({ contract: mint, decimals: 6 });

async function fundedKey() {
  const key = solanaKey();
  await client.execute(
    getTransferSolInstruction({ source: client.payer, destination: key.address, amount: 10n * SOL }),
  );
  return key;
}

async function signed(key: ReturnType<typeof solanaKey>, transfer: Omit<Transfer, 'from'>) {
  const full = { from: key.address, ...transfer };
  const fee = await chain.estimateFee(full, 'medium');
  const { unsigned, payloads, validUntil } = await chain.build(full, fee, {});
  expect(payloads).toEqual([{ kind: 'solana_transaction', hex: unsigned }]);
  const transaction = chain.assemble(unsigned, [key.sign(unsigned)], key.publicKey);
  return { ...transaction, unsigned, fee, validUntil: validUntil ?? Number.NaN };
}

async function included(txHash: string): Promise<Inclusion> {
  await expect.poll(async () => (await chain.follow(txHash)).state, { timeout: 60_000 }).toBe('included');
  const status = await chain.follow(txHash);
  if (status.state !== 'included') throw new Error('it is not included any more');
  return status;
}

test('SOL: quoted, built, signed, sent, followed and seen to arrive, to the lamport', async () => {
  const key = await fundedKey();
  const to = await stranger();
  const { raw, txHash, fee, validUntil } = await signed(key, { to, asset: NATIVE, amount: 3n * SOL });
  expect(fee.maxFee).toBe(5_010n); // one signature, and 1,000 units for 10,000 millionths each
  expect(validUntil).toBeGreaterThan((await chain.head()).number);
  expect(await chain.follow(txHash)).toEqual({ state: 'unknown' });
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });

  const inclusion = await included(txHash);
  expect(inclusion).toMatchObject({ succeeded: true, feePaid: fee.maxFee });
  expect(await chain.balance(key.address, NATIVE)).toBe(7n * SOL - inclusion.feePaid);
  expect(await chain.balance(to, NATIVE)).toBe(3n * SOL);
  const block = { number: inclusion.blockNumber, hash: inclusion.blockHash };
  expect(await inboundTransfersIn(chain, block.number, [to])).toEqual([
    {
      txHash,
      index: `lamports:${to}`,
      contract: null,
      from: key.address,
      to,
      amount: 3n * SOL,
      block: expect.objectContaining(block),
    },
  ]);
  expect(await inboundTransfersIn(chain, block.number, [key.address])).toEqual([]);
  await expect
    .poll(async () => (await included(txHash)).confirmations, { timeout: 60_000 })
    .toBeGreaterThan(inclusion.confirmations);
});

test('the fee grows with its level', async () => {
  const transfer = { from: client.payer.address, to: await stranger(), asset: NATIVE, amount: SOL };
  const fees = await Promise.all(
    (['low', 'medium', 'high'] as const).map(async (level) => (await chain.estimateFee(transfer, level)).maxFee),
  );
  expect(fees).toEqual([5_001n, 5_010n, 5_100n]);
});

test('a token: the first transfer pays for the recipient’s account, the next does not', async () => {
  const { mint, mintTo } = await makeMint(client, 6);
  const key = await fundedKey();
  await mintTo(key.address, 5_000_000n);
  const to = await stranger();
  expect(await chain.balance(to, token(mint))).toBe(0n);

  const first = await signed(key, { to, asset: token(mint), amount: 1_250_000n });
  expect(first.fee.maxFee).toBe(5_000n + 900n + RENT);
  expect(await chain.broadcast(first.raw)).toEqual({ outcome: 'accepted' });
  const { blockNumber, feePaid } = await included(first.txHash);
  expect(feePaid).toBe(first.fee.maxFee);
  expect(await chain.balance(key.address, NATIVE)).toBe(10n * SOL - feePaid);
  expect(await chain.balance(to, token(mint))).toBe(1_250_000n);
  const inboundTransfer = {
    txHash: first.txHash,
    index: `token:${mint}:${to}`,
    contract: mint,
    from: key.address,
    to,
    amount: 1_250_000n,
  };
  expect(await inboundTransfersIn(chain, blockNumber, [to], [mint])).toEqual([
    { ...inboundTransfer, block: await chain.block(blockNumber) },
  ]);

  const second = await signed(key, { to, asset: token(mint), amount: 750_000n });
  expect(second.fee.maxFee).toBe(5_900n);
  expect(await chain.broadcast(second.raw)).toEqual({ outcome: 'accepted' });
  const next = await included(second.txHash);
  expect(next.feePaid).toBe(5_900n);
  expect(await chain.balance(to, token(mint))).toBe(2_000_000n);
  expect(await inboundTransfersIn(chain, next.blockNumber, [to], [mint])).toMatchObject([{ amount: 750_000n }]);
});

test('the same bytes again are accepted, and move nothing more', async () => {
  const key = await fundedKey();
  const to = await stranger();
  const { raw, txHash } = await signed(key, { to, asset: NATIVE, amount: SOL });
  const outcomes = [await chain.broadcast(raw), await chain.broadcast(raw)];
  await included(txHash);
  outcomes.push(await chain.broadcast(raw));
  expect(outcomes).toEqual(Array.from(outcomes, () => ({ outcome: 'accepted' })));
  expect(await chain.balance(to, NATIVE)).toBe(SOL);
});

test('two equal transfers are two transactions', async () => {
  const key = await fundedKey();
  const transfer = { from: key.address, to: await stranger(), asset: NATIVE, amount: SOL };
  const fee = await chain.estimateFee(transfer, 'low');
  const built = await Promise.all([chain.build(transfer, fee, {}), chain.build(transfer, fee, {})]);
  expect(new Set(built.map(({ unsigned }) => unsigned)).size).toBe(2);
  for (const { unsigned } of built) {
    const { raw, txHash } = chain.assemble(unsigned, [key.sign(unsigned)], key.publicKey);
    await chain.broadcast(raw);
    await included(txHash);
  }
  expect(await chain.balance(transfer.to, NATIVE)).toBe(2n * SOL);
});

test('a transaction that failed paid its fee, moved nothing and brought nothing', async () => {
  const key = await fundedKey();
  const to = await stranger();
  const [one, two] = await Promise.all(
    [6n, 6n].map((amount) => signed(key, { to, asset: NATIVE, amount: amount * SOL })),
  );
  if (one === undefined || two === undefined) throw new Error('nothing was signed');
  await chain.broadcast(one.raw);
  await included(one.txHash);
  const poor = { name: 'ChainError', code: 'insufficient_funds' };
  await expect(chain.broadcast(two.raw)).rejects.toMatchObject(poor); // refused beforehand, but funds may come
  const wire = getBase64Decoder().decode(Buffer.from(two.raw.slice(2), 'hex')) as Base64EncodedWireTransaction;
  await client.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  const inclusion = await included(two.txHash);
  expect(inclusion).toMatchObject({ succeeded: false, feePaid: 5_010n });
  expect(await chain.balance(key.address, NATIVE)).toBe(4n * SOL - 2n * 5_010n);
  expect(await chain.balance(to, NATIVE)).toBe(6n * SOL);
  expect(await inboundTransfersIn(chain, inclusion.blockNumber, [to, key.address])).toEqual([]);
  expect(await chain.broadcast(two.raw)).toEqual({ outcome: 'accepted' });
});

test('what the node refuses for now is thrown, and the same bytes land when the funds are there', async () => {
  const key = await fundedKey();
  const to = await stranger();
  const [one, two] = [
    await signed(key, { to, asset: NATIVE, amount: 6n * SOL }),
    await signed(key, { to, asset: NATIVE, amount: 5n * SOL }),
  ];
  await chain.broadcast(one.raw);
  await included(one.txHash);
  await expect(chain.broadcast(two.raw, two.validUntil)).rejects.toThrow(ChainError);
  expect(await isExpiredSolana(connectSolana({ rpcUrl: node.address }), two.txHash, two.validUntil)).toBe(false);
  await client.rpc.requestAirdrop(key.address, lamports(2n * SOL)).send();
  expect(await chain.broadcast(two.raw, two.validUntil)).toEqual({ outcome: 'accepted' });
  expect((await included(two.txHash)).succeeded).toBe(true);
});

test('builds nothing that would fail or be lost', async () => {
  const { mint, mintTo } = await makeMint(client, 6);
  const key = await fundedKey();
  await mintTo(key.address, 5n);
  const attempt = (to: Address, asset: Asset, amount: bigint) => signed(key, { to, asset, amount });
  const to = await stranger();
  const never = { name: 'ImpossibleTransfer' };
  const forNow = (words: string, code?: string) => ({
    name: 'ChainError',
    code,
    message: expect.stringContaining(words),
  });
  const poor = 'insufficient_funds';
  const tooMuch = 'would fail now: {"InstructionError":[3,{"Custom":1}]}';
  await expect(attempt(to, NATIVE, 11n * SOL)).rejects.toMatchObject(forNow(tooMuch, poor));
  await expect(attempt(to, NATIVE, 10n * SOL - 5_011n)).rejects.toMatchObject(forNow('ForRent', poor)); // 1 lamport would stay
  await expect(attempt(to, NATIVE, 1_000n)).rejects.toMatchObject(never); // an account has rent to pay
  await expect(attempt(to, token(mint), 6n)).rejects.toMatchObject(forNow('would fail now', poor));
  const other = await makeMint(client, 6);
  await expect(attempt(to, token(other.mint), 1n)).rejects.toMatchObject(forNow('would fail now', poor)); // no account for it
  const unfunded = { from: await stranger(), to, asset: NATIVE, amount: SOL };
  const anyFee = await chain.estimateFee(unfunded, 'low');
  await expect(chain.build(unfunded, anyFee, {})).rejects.toMatchObject(forNow('AccountNotFound', poor));
  const opening = { from: key.address, to, asset: token(mint), amount: 5n };
  const fee = await chain.estimateFee(opening, 'low');
  const rentless = { ...fee, parameters: { ...fee.parameters, rent: '0' } }; // as quoted before the recipient closed the account
  await expect(chain.build(opening, rentless, {})).rejects.toMatchObject(forNow('would fail now'));
  await expect(attempt(to, { contract: mint, decimals: 9 }, 1n)).rejects.toMatchObject({
    ...never,
    message: expect.stringContaining('has other decimals'),
  });
  for (const lost of [{ to: 'nowhere' }, { to: '1'.repeat(32) }, { asset: token('1234' as Address) }])
    await expect(chain.estimateFee({ ...unfunded, ...lost }, 'low')).rejects.toMatchObject(never);
  const call = { from: key.address, to, value: 1n, data: '0x' };
  await expect(chain.estimateFee(call, 'low')).rejects.toMatchObject(never);
  await expect(chain.build(call, anyFee, {})).rejects.toMatchObject(never);
  const account = await tokenAccountOf(key.address, mint);
  await expect(attempt(account, NATIVE, SOL)).rejects.toThrow('not a wallet');
  await expect(attempt(account, token(mint), 1n)).rejects.toThrow('not a wallet');
  const noMint = token(await stranger());
  await expect(attempt(to, noMint, 1n)).rejects.toThrow('no mint of the classic token program');
  await expect(chain.balance(to, noMint)).rejects.toThrow('no mint of the classic token program');
});

test('pays into no token account that its owner has given away, and refuses mints of Token-2022', async () => {
  const { mint, mintTo } = await makeMint(client, 6);
  const key = await fundedKey();
  await mintTo(key.address, 5n);
  await mintTo(client.payer.address, 5n);
  const to = client.payer.address;
  const account = await tokenAccountOf(to, mint);
  await client.execute(
    getSetAuthorityInstruction({
      owned: account,
      owner: client.payer,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: await stranger(),
    }),
  );
  await expect(signed(key, { to, asset: token(mint), amount: 1n })).rejects.toThrow('no longer belongs to it');
  expect(await chain.balance(to, token(mint))).toBe(0n);

  const extended = await makeMint(client, 6, TOKEN_2022);
  const transfer = { to: await stranger(), asset: token(extended.mint), amount: 1n };
  await expect(signed(key, transfer)).rejects.toThrow('no mint of the classic token program');
});

test('takes no signature of another key or message, and rejects bytes that no node takes', async () => {
  const [key, other] = [await fundedKey(), solanaKey()];
  const { raw, unsigned } = await signed(key, { to: await stranger(), asset: NATIVE, amount: SOL });
  const assemble = (signature: string, publicKey = key.publicKey) => chain.assemble(unsigned, [signature], publicKey);
  expect(() => assemble(other.sign(unsigned))).toThrow('not over this transaction');
  expect(() => assemble(key.sign(`${unsigned}00`))).toThrow('not over this transaction');
  expect(() => assemble(other.sign(unsigned), other.publicKey)).toThrow('alone signs');
  expect(() => chain.assemble(unsigned, [], key.publicKey)).toThrow('one signature');
  const flipped = `${raw.slice(0, -1)}${raw.endsWith('0') ? '1' : '0'}`;
  for (const bytes of [flipped, raw.slice(0, -2), unsigned])
    expect(await chain.broadcast(bytes)).toMatchObject({ outcome: 'rejected' });
});

test('knows an address by its 32 bytes', async () => {
  const program = '11111111111111111111111111111111';
  const vault = await tokenAccountOf(client.payer.address, client.payer.address); // off the curve
  for (const each of [client.payer.address, vault]) expect(chain.canonicalAddress(each)).toBe(each);
  for (const each of [
    '',
    program,
    program.slice(1),
    `${program}1`,
    `${vault} `,
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ])
    expect(chain.canonicalAddress(each)).toBeUndefined();
});
