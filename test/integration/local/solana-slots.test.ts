// Goal: what the sandbox's Solana takes and shows depends on the slot as on the real chain. Method: the chain itself,
// without its process, with a clock of the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getTransactionEncoder,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SolanaChain } from '../../../src/local/solana/chain.ts';
import { type Lifetime, SOL, signFor } from '../../support/chains/solana.ts';

const SLOT_MS = 400;
/** A table that is in use: its kind, never deactivated, extended in slot 0 from index 0, without an authority. */
const LOOKUP_TABLE_HEADER = [1, 0, 0, 0, ...Array<number>(8).fill(255), ...Array<number>(44).fill(0)];

let directory: string;
let nowMs: number;
let chain: SolanaChain;
let payer: KeyPairSigner;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  nowMs = Date.now();
  chain = await open();
  payer = await generateKeyPairSigner();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () => SolanaChain.open(directory, () => nowMs);

function wait(slots: number): void {
  nowMs += slots * SLOT_MS;
}

const transferTo = (destination: KeyPairSigner, amount: bigint) =>
  getTransferSolInstruction({ source: payer, destination: destination.address, amount: lamports(amount) });

async function payment(amount: bigint, lifetime: Lifetime) {
  return getTransactionEncoder().encode(await signFor(payer, [transferTo(payer, amount)], lifetime));
}

test('takes a blockhash for 150 blocks and not for one more', async () => {
  const lifetime = chain.latestBlockhash();
  await chain.airdrop(payer.address, 10n * SOL);
  wait(149);
  expect(BigInt(chain.slots.completed)).toBe(lifetime.lastValidBlockHeight - 1n);
  chain.send(await payment(1n, lifetime), false);
  wait(1);
  const late = await payment(2n, lifetime);
  expect(() => chain.send(late, false)).toThrow(/BlockhashNotFound/);
  const dropped = chain.send(late, true);
  wait(1);
  expect(chain.find(dropped)).toBeUndefined();
});

test('shows a transaction when its slot is over, so that who has read a slot has read all of it', async () => {
  const signature = await chain.airdrop(payer.address, SOL);
  expect(chain.find(signature)).toBeUndefined();
  expect(chain.ofAddress(payer.address)).toEqual([]);
  expect(chain.slotsWithTransactions()).toEqual([]);
  wait(1);
  expect(chain.find(signature)?.slot).toBe(chain.slots.completed);
  expect(chain.ofAddress(payer.address)).toHaveLength(1);
  expect(chain.slotsWithTransactions()).toEqual([chain.slots.completed]);
});

test('opened again, never goes back behind a slot that it has used', async () => {
  wait(10);
  const signature = await chain.airdrop(payer.address, SOL);
  const used = chain.slots.current;
  nowMs -= 5 * SLOT_MS; // the machine's clock was set back
  const again = await open();
  expect(again.slots.current).toBe(used);
  nowMs += 6 * SLOT_MS;
  expect(again.find(signature)?.slot).toBe(used);
});

test('finds a recipient that a transaction names through a lookup table', async () => {
  const recipient = await generateKeyPairSigner();
  const table = (await generateKeyPairSigner()).address;
  const data = new Uint8Array([...LOOKUP_TABLE_HEADER, ...getBase58Encoder().encode(recipient.address)]);
  const programAddress = address('AddressLookupTab1e1111111111111111111111111');
  const account = { lamports: lamports(SOL), programAddress, executable: false, data, space: BigInt(data.length) };
  chain.svm.setAccount({ address: table, ...account });
  await chain.airdrop(payer.address, 10n * SOL);
  wait(1);
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(chain.latestBlockhash(), paid),
    (timed) => appendTransactionMessageInstructions([transferTo(recipient, SOL)], timed),
    (whole) => compressTransactionMessageUsingAddressLookupTables(whole, { [table]: [recipient.address] }),
  );
  const signature = chain.send(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)), false);
  wait(1);
  expect(chain.ofAddress(recipient.address).map((each) => each.signature)).toEqual([signature]);
  const found = chain.find(signature);
  expect(found?.loaded).toEqual({ writable: [recipient.address], readonly: [] });
  expect(found?.after.lamports.at(-1)).toBe(SOL);
});
