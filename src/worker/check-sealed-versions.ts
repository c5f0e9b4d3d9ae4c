// The worker's look at rows that are sealed with a version: holds them against the newest version that the audit log
// tells of. A row that stands at an older one was set back by somebody who writes the database: its workspace is
// frozen, until an operator says what it was. Safe to run in many processes; mends no row.
import type { Logger } from '../../domain/logger.ts';
import { insertAuditEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { ENDED_VERSION } from '../../drizzle/audit/inactive-rows.ts';
import { readVersions, toSealedText, type VersionEntry } from '../../drizzle/audit/sealed-versions.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { isMended, isResolved, recordSetBack, type SetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import { type VersionedRow, versionedRows } from '../../drizzle/sealed-rows/versioned-rows.ts';
import type { SealedKind, Seals } from '../../drizzle/seals/seals.ts';
import { findWorkspace, lockWorkspace, writeFreeze } from '../../drizzle/workspaces/workspaces.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 15_000;
/** Entries may commit out of the order of their positions, but not by longer than a transaction lasts. */
const CHECKED_AGAIN_MS = 5 * 60_000;
/**
 * Ended operations that are remembered: the last ones. Older ones are refused as well when they are taken up again, and
 * are found then.
 */
const ENDED_MAX = 100_000;

export interface VersionCheckDependencies {
  db: Database;
  seals: Seals;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startCheckingVersions(dependencies: VersionCheckDependencies): () => Promise<void> {
  const check = new VersionCheck(dependencies);
  const { log } = dependencies;
  return repeat({ name: 'the check of sealed versions', everyMs: EVERY_MS, log }, () => check.round());
}

const nameOf = ({ kind, id }: { kind: SealedKind; id: string }) => `${kind} ${id}`;

export class VersionCheck {
  readonly #dependencies: VersionCheckDependencies;
  /** By kind and id: the newest that an entry tells of. */
  readonly #newest = new Map<string, VersionEntry>();
  /** By kind, id and version: the position of the entry that tells of it. */
  readonly #reported = new Map<string, number>();
  readonly #forks = new Map<string, SetBack>();
  /** Names of operations, in the order of their entries. */
  readonly #ended = new Set<string>();
  #from = 0;

  constructor(dependencies: VersionCheckDependencies) {
    this.#dependencies = dependencies;
  }

  /** Answers what is wrong now, resolved or not. The entries are read before the rows, which may only be newer then. */
  async round(): Promise<SetBack[]> {
    await this.#readEntries();
    const found = [...this.#forks.values(), ...(await this.#readRows())];
    for (const one of found) await this.#raise(one);
    return found;
  }

  async #readEntries(): Promise<void> {
    const { db, seals } = this.#dependencies;
    const settledBefore = Date.now() - CHECKED_AGAIN_MS;
    for await (const entry of readVersions(db, seals, this.#from)) {
      this.#take(entry);
      if (entry.createdAt.getTime() < settledBefore) this.#from = Math.max(this.#from, entry.position);
    }
  }

  /** Two entries of one version: the row was set back in between, and changed again. */
  #take(entry: VersionEntry): void {
    const { workspaceId, kind, id: rowId, version, position } = entry;
    const spelled = `${nameOf(entry)} ${version}`;
    const reported = this.#reported.get(spelled) ?? position;
    this.#reported.set(spelled, reported);
    if (reported !== position)
      this.#forks.set(spelled, { workspaceId, kind, rowId, expectedVersion: version + 1, foundVersion: version });
    const newest = this.#newest.get(nameOf(entry));
    if (newest === undefined || version > newest.version) this.#newest.set(nameOf(entry), entry);
    if (isOperation(entry)) this.#takeEnded(entry);
  }

  /** One that has ended twice was open in between. */
  #takeEnded(entry: VersionEntry): void {
    const { workspaceId, kind, id: rowId, version: expectedVersion } = entry;
    if (expectedVersion > ENDED_VERSION)
      this.#forks.set(nameOf(entry), { workspaceId, kind, rowId, expectedVersion, foundVersion: 1 });
    this.#ended.add(nameOf(entry));
    if (this.#ended.size <= ENDED_MAX) return;
    const [oldest = ''] = this.#ended;
    this.#ended.delete(oldest);
    this.#newest.delete(oldest);
    this.#reported.delete(`${oldest} ${ENDED_VERSION}`);
  }

  async #readRows(): Promise<SetBack[]> {
    const { db, seals } = this.#dependencies;
    const found: SetBack[] = [];
    const suspected: VersionEntry[] = [];
    for (const [kind, read] of Object.entries(versionedRows)) {
      const entries = [...this.#newest.values()].filter((entry) => entry.kind === kind);
      const recorded = entries.map(({ id }) => id);
      const rows = new Map((await read(db, seals, recorded)).map((row) => [row.id, row]));
      for (const entry of entries) {
        const row = rows.get(entry.id);
        if (agrees(entry, row)) continue;
        if (kind === 'wallet') suspected.push(entry);
        else found.push(toSetBack(entry, row));
      }
    }
    return [...found, ...(await this.#stillInactive(suspected))];
  }

  /**
   * A wallet's row has no version: one that was unfrozen between the two looks says so in an entry that is there by
   * now.
   */
  async #stillInactive(suspected: readonly VersionEntry[]): Promise<SetBack[]> {
    if (suspected.length === 0) return [];
    await this.#readEntries();
    return suspected
      .filter((entry) => this.#newest.get(nameOf(entry))?.version === entry.version)
      .map(({ workspaceId, kind, id: rowId, version: expectedVersion }) => ({
        workspaceId,
        kind,
        rowId,
        expectedVersion,
        // As of a row that is edited and keeps its version.
        foundVersion: expectedVersion,
      }));
  }

  /** Once for each finding; a workspace that is unfrozen while one is open is frozen again. */
  async #raise(found: SetBack): Promise<void> {
    const { db, seals, log } = this.#dependencies;
    const raised = await db.transaction(async (tx) => {
      await lockWorkspace(tx, found.workspaceId);
      if (await isMended(tx, seals, found)) return false;
      const { row, isNew } = await recordSetBack(tx, found);
      if (isResolved(seals, row)) return false;
      const sealed = await this.#freeze(tx, found.workspaceId);
      if (!isNew && sealed === null) return false;
      const after = toKeptText({ ...found, frozen: sealed !== null });
      const { workspaceId, rowId: resourceId } = found;
      const entry = { workspaceId, resourceId, after, sealed, actor: 'system', actorId: null } as const;
      await insertAuditEntry(tx, { ...entry, action: 'sealed row set back', outcome: 'accepted' });
      return true;
    });
    if (raised) log.error({ ...found }, 'a sealed row was set back by SQL: its workspace is frozen');
  }

  /**
   * Null when it is frozen already. The version is one that no entry has told of, even where the freeze itself was set
   * back.
   */
  async #freeze(tx: Transaction, workspaceId: string): Promise<string | null> {
    const { seals } = this.#dependencies;
    const before = await findWorkspace(tx, workspaceId);
    if (before === undefined) return null;
    const newest = this.#newest.get(nameOf({ kind: 'workspace', id: workspaceId }))?.version ?? 0;
    if (before.withdrawalsFrozenAt !== null && before.sealVersion >= newest) return null;
    const version = Math.max(before.sealVersion, newest) + 1;
    const { sealed } = await writeFreeze(tx, seals, before, { frozen: true, version });
    return toSealedText(seals, workspaceId, sealed);
  }
}

const isOperation = ({ kind }: VersionEntry) => kind === 'withdrawal' || kind === 'signing_request';

/** A row that is newer than the entry was changed after the entries were read. */
function agrees(newest: VersionEntry, row: VersionedRow | undefined): boolean {
  if (newest.gone === true) return row === undefined;
  // One that is active by the audit log may have any status.
  if (newest.kind === 'wallet') return true;
  return row !== undefined && row.holds && row.version >= newest.version;
}

const toSetBack = ({ workspaceId, kind, id, version }: VersionEntry, row: VersionedRow | undefined): SetBack => ({
  workspaceId,
  kind,
  rowId: id,
  expectedVersion: version,
  foundVersion: row?.version ?? 0,
});
