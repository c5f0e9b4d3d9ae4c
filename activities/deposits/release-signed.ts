// Looks after signed transactions that callers broadcast themselves and that no block has shown yet: what can land no
// more is released, by the word of all nodes. Only what is shown as `pending_out` goes by it: whatever is released and
// lands all the same is booked with its block.
import { log } from '@temporalio/activity';
import type { Database } from '../../drizzle/database/connection.ts';
import { hasDeparture } from '../../drizzle/departures/departures.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { listUnlanded, noteLanding, releaseUnlanded } from '../../drizzle/signing-requests/caller-broadcasts.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import { canJudgeBuilt, judgeBuilt, judgeFates, type Verdict } from '../chains/agreement-of-nodes.ts';
import type { Chain } from '../chains/port/chain.ts';
import type { SignedTransaction } from '../chains/port/transactions.ts';

export interface SignedOn {
  db: Database;
  network: NetworkRow;
  chain: Chain;
  /** The same chain behind another node, where there is one. */
  second: Chain | undefined;
}

const POLL_EVERY_MS = 5_000;
/** Each is a few questions to each node, while no block is read. */
const AT_ONCE = 8;

export class ReleaseOfSigned {
  /** By network: when to poll next, and behind which one. */
  readonly #next = new Map<string, { againAtMs: number; after: string | undefined }>();

  /**
   * A few of them in turn; nothing while the last poll is recent. What cannot be told of one of them, which a caller
   * has written, keeps nobody from reading blocks.
   */
  async poll(signedOn: SignedOn): Promise<void> {
    const { db, network } = signedOn;
    const { againAtMs = 0, after } = this.#next.get(network.id) ?? {};
    if (Date.now() < againAtMs) return;
    const some = await listUnlanded(db, network.internalCode, after, AT_ONCE);
    const last = some.length < AT_ONCE ? undefined : some.at(-1)?.id;
    this.#next.set(network.id, { againAtMs: Date.now() + POLL_EVERY_MS, after: last });
    const release = (row: SigningRequestRow) =>
      releaseIfSettled(signedOn, row).catch(({ message: reason }: Error) =>
        log.warn('what became of a signed transaction is not known now', { signingId: row.id, reason }),
      );
    await Promise.all(some.map(release));
  }
}

async function releaseIfSettled(signedOn: SignedOn, row: SigningRequestRow): Promise<void> {
  const { db, chain, second } = signedOn;
  const signed = assembled(chain, row);
  const verdict = await judge([chain, ...(second === undefined ? [] : [second])], row, signed);
  if (verdict.outcome === 'dead') await releaseUnlanded(db, row.id);
  // Who paid a fee on an account chain has a departure; on Solana he may have got more than he paid.
  const txHash = chain.model === 'expiring' ? (verdict.txHash ?? signed?.txHash) : undefined;
  if (verdict.outcome === 'alive' && txHash !== undefined) await noteLandedWithout(signedOn, row, txHash);
}

/** One that took nothing from the wallet has landed once its block is read, and no departure will say so. */
async function noteLandedWithout({ db, network, chain }: SignedOn, { id }: SigningRequestRow, txHash: string) {
  const status = await chain.follow(txHash);
  if (status.state !== 'included') return;
  const { nextBlock = 0 } = (await findNetworkState(db, network.id)) ?? {};
  if (status.blockNumber < nextBlock && !(await hasDeparture(db, id))) await noteLanding(db, id, 'landed');
}

function judge(
  witnesses: readonly [Chain, ...Chain[]],
  { unsignedTx: unsigned, createdAt: builtAt }: SigningRequestRow,
  signed: SignedTransaction | undefined,
): Promise<Verdict> {
  if (signed !== undefined) return judgeFates(witnesses, [{ ...signed, builtAt, validUntil: null }]);
  if (canJudgeBuilt(witnesses)) return judgeBuilt(witnesses, [{ unsigned, builtAt, validUntil: null }]);
  return Promise.resolve({ outcome: 'disputed', reason: 'Its bytes are not known here.' });
}

/** Undefined where others sign it as well, or where its caller may write it in another way. */
function assembled(chain: Chain, { unsignedTx, signature, publicKey }: SigningRequestRow) {
  if (signature === null || publicKey === null) return undefined;
  try {
    return chain.assemble(unsignedTx, [signature], publicKey);
  } catch {
    return undefined;
  }
}
