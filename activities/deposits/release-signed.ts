// Looks after signed transactions that callers broadcast themselves and that no block has shown yet: what can land no
// more is released, by the word of all nodes. Only what is shown as `pending_out` goes by it: whatever is released and
// lands all the same is booked with its block.
import { log } from '@temporalio/activity';
import type { Database } from '../../drizzle/database/connection.ts';
import { hasDeparture } from '../../drizzle/departures/departures.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { listUnlanded, noteLanding, releaseUnlanded } from '../../drizzle/signing-requests/landings.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import { canJudgeBuilt, judgeBuilt, judgeFates, type Verdict } from '../chains/witnesses.ts';

export interface SignedOn {
  db: Database;
  network: NetworkRow;
  chain: Chain;
  /** The same chain behind another node, where there is one. */
  second: Chain | undefined;
}

const LOOK_EVERY_MS = 5_000;
/** Each is a few questions to each node, beside the reading of blocks. */
const AT_ONCE = 10;

export class ReleaseOfSigned {
  /** By network: when to look next, and behind which one. */
  readonly #next = new Map<string, { againAtMs: number; after: string | undefined }>();

  /** A few of them in turn; nothing while the last look is young. */
  async look(signedOn: SignedOn): Promise<void> {
    const { db, network } = signedOn;
    const { againAtMs = 0, after } = this.#next.get(network.id) ?? {};
    if (Date.now() < againAtMs) return;
    const some = await listUnlanded(db, network.internalCode, after, AT_ONCE);
    const last = some.length < AT_ONCE ? undefined : some.at(-1)?.id;
    this.#next.set(network.id, { againAtMs: Date.now() + LOOK_EVERY_MS, after: last });
    for (const row of some) {
      try {
        await lookAt(signedOn, row);
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        log.warn('what became of a signed transaction is not known now', { signingId: row.id, reason: error.message });
        return;
      }
    }
  }
}

async function lookAt({ db, chain, second }: SignedOn, row: SigningRequestRow): Promise<void> {
  const { outcome, txHash } = await judge([chain, ...(second === undefined ? [] : [second])], row);
  if (outcome === 'dead') await releaseUnlanded(db, row.id);
  // One that moved nothing of the wallet has no departure that would say so.
  if (outcome === 'alive' && txHash !== undefined && !(await hasDeparture(db, row.id)))
    await noteLanding(db, row.id, 'landed');
}

function judge(witnesses: readonly [Chain, ...Chain[]], row: SigningRequestRow): Promise<Verdict> {
  const { unsignedTx: unsigned, createdAt: builtAt } = row;
  const signed = assembled(witnesses[0], row);
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
