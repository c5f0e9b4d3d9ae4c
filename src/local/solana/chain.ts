// The sandbox's Solana chain: the real virtual machine (litesvm) with slots that time advances, the window of valid
// blockhashes and the history, which litesvm does not keep. One validator, no forks: what is executed is final once its
// slot is over. Knows no durable nonces. Speaks no protocol.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Address,
  type Blockhash,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  getSignatureFromTransaction,
  isFullySignedTransaction,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { readLookupTable, readMint, readToken, tokenAmount } from './accounts.ts';
import { accountKeys, type Balances, type Executed, type Loaded } from './executed.ts';
import { type Faucet, makeAirdrop, openFaucet } from './faucet.ts';
import { type Genesis, makeGenesis } from './genesis.ts';
import { Journal } from './journal.ts';
import { type Message, type Parsed, parseTransaction } from './message.ts';
import {
  preflightFailure,
  signatureVerificationFailure,
  type TransactionError,
  transactionErrorOf,
} from './rpc-error.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, Slots } from './slots.ts';

/** litesvm refuses a repeated transaction as long as it remembers the first; 150 slots would do. */
const REMEMBERED_TRANSACTIONS = 1_000_000n;

export type Simulated = { error: TransactionError | null; logs: string[]; unitsConsumed: bigint };

export class SolanaChain {
  readonly slots: Slots;
  readonly svm = new LiteSVM()
    .withNativeMints()
    .withBlockhashCheck(false) // it knows one valid blockhash; ours are the slots'
    .withTransactionHistory(REMEMBERED_TRANSACTIONS);
  readonly #journal: Journal;
  readonly #faucet: Faucet;
  readonly #bySignature = new Map<string, Executed>();
  readonly #byAddress = new Map<string, Executed[]>();
  readonly #bySlot = new Map<number, Executed[]>();

  private constructor(journal: Journal, faucet: Faucet, now: () => number, setGenesis: Genesis) {
    this.#journal = journal;
    this.#faucet = faucet;
    this.slots = new Slots(journal.genesisMs, journal.entries.at(-1)?.slot ?? 0, now);
    setGenesis(this.svm, faucet.address);
    for (const { slot, wire } of journal.entries) this.#replay(slot, getBase64Encoder().encode(wire));
  }

  static async open(directory: string, now: () => number = Date.now): Promise<SolanaChain> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const faucet = await openFaucet(join(directory, 'faucet.key'));
    const journal = new Journal(join(directory, 'transactions.jsonl'), now());
    return new SolanaChain(journal, faucet, now, await makeGenesis());
  }

  get transactionCount(): number {
    return this.#bySignature.size;
  }

  /**
   * Without `skipPreflight` refuses what would fail; with it executes a failure, which costs its fee, or drops what
   * cannot land.
   */
  send(wire: ReadonlyUint8Array, skipPreflight: boolean): string {
    const parsed = parseTransaction(wire);
    if (!isFullySignedTransaction(parsed.transaction)) throw signatureVerificationFailure();
    const signature = getSignatureFromTransaction(parsed.transaction);
    if (!skipPreflight) this.#preflight(parsed);
    else if (!this.slots.isRecent(parsed.message.lifetimeToken)) return signature;
    const { current: slot } = this.slots;
    if (this.#execute(slot, wire, parsed) !== undefined)
      this.#journal.append({ slot, wire: getBase64Decoder().decode(wire) });
    return signature;
  }

  simulate(parsed: Parsed, checks: { signatures: boolean; blockhash: boolean }): Simulated {
    if (checks.blockhash && !this.slots.isRecent(parsed.message.lifetimeToken))
      return { error: 'BlockhashNotFound', logs: [], unitsConsumed: 0n };
    if (checks.signatures && !isFullySignedTransaction(parsed.transaction))
      return { error: 'SignatureFailure', logs: [], unitsConsumed: 0n };
    this.#setClock(this.slots.current);
    try {
      this.svm.withSigverify(checks.signatures);
      const result = this.svm.simulateTransaction(parsed.transaction);
      const error = result instanceof FailedTransactionMetadata ? transactionErrorOf(result) : null;
      return { error, logs: result.meta().logs(), unitsConsumed: result.meta().computeUnitsConsumed() };
    } finally {
      this.svm.withSigverify(true);
    }
  }

  /** Returns the signature of a transfer from the faucet. */
  async airdrop(recipient: Address, amount: bigint): Promise<string> {
    return this.send(await makeAirdrop(this.#faucet, recipient, amount, this.latestBlockhash()), false);
  }

  latestBlockhash(): { blockhash: Blockhash; lastValidBlockHeight: bigint } {
    const { completed } = this.slots;
    const lastValidBlockHeight = BigInt(completed + BLOCKHASH_LIFETIME_BLOCKS);
    return { blockhash: this.slots.blockhash(completed), lastValidBlockHeight };
  }

  /** Of completed slots only, so that a reader who has seen a slot has seen all of it. */
  find(signature: string): Executed | undefined {
    const executed = this.#bySignature.get(signature);
    return executed && this.#isVisible(executed) ? executed : undefined;
  }

  /** Oldest first. */
  ofAddress(account: string): Executed[] {
    return (this.#byAddress.get(account) ?? []).filter((executed) => this.#isVisible(executed));
  }

  inSlot(slot: number): Executed[] {
    return slot <= this.slots.completed ? (this.#bySlot.get(slot) ?? []) : [];
  }

  /** Ascending; the others were skipped: nothing happened in them. */
  slotsWithTransactions(): number[] {
    return [...this.#bySlot.keys()].filter((slot) => slot <= this.slots.completed);
  }

  decimalsOf(mint: Address): number | undefined {
    const account = this.svm.getAccount(mint);
    return account.exists ? readMint(account)?.decimals : undefined;
  }

  #isVisible({ slot }: Executed): boolean {
    return slot <= this.slots.completed;
  }

  #preflight(parsed: Parsed): void {
    const { error, logs, unitsConsumed } = this.simulate(parsed, { signatures: true, blockhash: true });
    if (error === 'SignatureFailure') throw signatureVerificationFailure();
    if (error !== null) throw preflightFailure(error, logs, unitsConsumed);
  }

  #replay(slot: number, wire: ReadonlyUint8Array): void {
    this.#execute(slot, wire, parseTransaction(wire));
  }

  /** Undefined when it did not land: then nothing changed and nobody paid. */
  #execute(slot: number, wire: ReadonlyUint8Array, { transaction, message }: Parsed): Executed | undefined {
    this.#setClock(slot);
    const loaded = this.#loadAddresses(message);
    const keys = accountKeys({ message, loaded });
    const before = this.#balancesOf(keys);
    const outcome = this.svm.sendTransaction(transaction);
    const after = this.#balancesOf(keys);
    const failed = outcome instanceof FailedTransactionMetadata;
    if (failed && before.lamports.every((amount, index) => amount === after.lamports[index])) return undefined;
    const executed: Executed = {
      signature: getSignatureFromTransaction(transaction),
      slot,
      wire,
      signatures: Object.values(transaction.signatures)
        .filter((bytes) => bytes !== null)
        .map((bytes) => getBase58Decoder().decode(bytes)),
      message,
      loaded,
      before,
      after,
      error: failed ? transactionErrorOf(outcome) : null,
      result: failed ? outcome.meta() : outcome,
    };
    this.#remember(executed, keys);
    return executed;
  }

  #remember(executed: Executed, keys: readonly Address[]): void {
    this.#bySignature.set(executed.signature, executed);
    append(this.#bySlot, executed.slot, executed);
    for (const key of new Set(keys)) append(this.#byAddress, key, executed);
  }

  #setClock(slot: number): void {
    const clock = this.svm.getClock();
    clock.slot = BigInt(slot);
    clock.unixTimestamp = BigInt(this.slots.blockTimeS(slot));
    this.svm.setClock(clock);
  }

  #loadAddresses(message: Message): Loaded {
    const loaded: Loaded = { writable: [], readonly: [] };
    for (const lookup of message.version === 0 ? (message.addressTableLookups ?? []) : []) {
      const table = this.svm.getAccount(lookup.lookupTableAddress);
      if (!table.exists) continue; // the transaction will fail for it
      loaded.writable.push(...readLookupTable(table.data, lookup.writableIndexes));
      loaded.readonly.push(...readLookupTable(table.data, lookup.readonlyIndexes));
    }
    return loaded;
  }

  #balancesOf(keys: readonly Address[]): Balances {
    const balances: Balances = { lamports: [], tokens: [] };
    for (const [accountIndex, key] of keys.entries()) {
      const account = this.svm.getAccount(key);
      balances.lamports.push(account.exists ? account.lamports : 0n);
      const token = account.exists ? readToken(account) : undefined;
      const decimals = token && this.decimalsOf(token.mint);
      if (!account.exists || token === undefined || decimals === undefined) continue;
      const { mint, owner, amount } = token;
      const programId = account.programAddress;
      balances.tokens.push({ accountIndex, mint, owner, programId, uiTokenAmount: tokenAmount(amount, decimals) });
    }
    return balances;
  }
}

function append<Key>(lists: Map<Key, Executed[]>, key: Key, executed: Executed): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [executed]);
  else list.push(executed);
}
