// Streams rows as a file: as fast as the caller reads, in constant memory. A file that cannot be finished is torn off,
// never ended, so that a part does not look like the whole; so is one whose key is revoked meanwhile (control K4).
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../authentication/authenticate.ts';
import { ApiError } from '../http/errors.ts';
import { preferredWaitSeconds } from '../http/waiting/prefer.ts';
import type { FileSlots } from './file-slots.ts';

/** However slowly the caller reads: the snapshot keeps the database from clearing dead rows. */
const LASTS_AT_MOST_MS = 15 * 60_000;
const RETRY_AFTER_SECONDS = 30;

export interface StreamedFile<Row> {
  slots: FileSlots;
  open: (signal: AbortSignal) => AsyncGenerator<Row[], void>;
  /** Before the first row. */
  head?: string;
  toText: (rows: Row[]) => string;
  /** After the last row. */
  end?: () => string;
}

/** Throws what keeps it from starting; from the first line on a failure shows in the connection only. */
export async function streamFile<Row>(reply: FastifyReply, file: StreamedFile<Row>): Promise<Readable> {
  const { signal, end } = await takeSlotWithin(reply, file.slots);
  const batches = whileAdmitted(reply.request.caller, file.open(signal));
  const first = await batches.next().catch((error: unknown) => {
    end();
    throw error;
  });
  const stream = Readable.from(toTexts(file, first, batches), { highWaterMark: 1 });
  // Also when it was closed before anything was read from it.
  stream.once('close', () => void batches.return().then(end, end));
  signal.addEventListener('abort', () => stream.destroy(signal.reason as Error), { once: true });
  return stream;
}

/**
 * One of few that may read the whole of something at a time. The signal fires when the caller leaves and when it takes
 * too long.
 */
export const takeSlot = (reply: FastifyReply, slots: FileSlots): Slot =>
  holdSlot(reply, slots.enter(reply.request.caller.key.workspaceId));

interface Slot {
  signal: AbortSignal;
  end: () => void;
}

/** With `Prefer: wait` it waits for a slot where there is none. There is nothing else to wait for: a file is there. */
async function takeSlotWithin(reply: FastifyReply, slots: FileSlots): Promise<Slot> {
  const { caller, headers } = reply.request;
  reply.header('vary', 'Prefer');
  const seconds = preferredWaitSeconds(headers['prefer']);
  if (seconds === undefined) return takeSlot(reply, slots);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const leave = await slots.enterWithin(caller.key.workspaceId, seconds * 1000, gone.signal);
  reply.header('preference-applied', 'wait');
  return holdSlot(reply, leave);
}

function holdSlot(reply: FastifyReply, leave: (() => void) | undefined): Slot {
  if (leave === undefined) {
    reply.header('retry-after', RETRY_AFTER_SECONDS);
    throw new ApiError('dependency_unavailable', 'Too many exports are under way: try again when one has ended.');
  }
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error('an export took too long')), LASTS_AT_MOST_MS);
  reply.raw.once('close', () => over.abort(new Error('the caller left')));
  const end = () => {
    clearTimeout(timer);
    leave();
  };
  return { signal: over.signal, end };
}

/** Nothing that the key would no longer be shown, also when its revocation came while the query ran. */
async function* whileAdmitted<Row>(caller: Caller, batches: AsyncGenerator<Row[], void>): AsyncGenerator<Row[], void> {
  const walletIds = caller.key.walletIds.join();
  for await (const rows of batches) {
    await caller.assertStillAdmitted();
    if (caller.key.walletIds.join() !== walletIds)
      throw new ApiError('wallet_not_allowed', 'The wallets of this key have changed meanwhile: ask again.');
    yield rows;
  }
}

/** One piece of text a batch: the head with the first. */
async function* toTexts<Row>(
  { head = '', toText, end }: StreamedFile<Row>,
  first: IteratorResult<Row[], void>,
  others: AsyncGenerator<Row[], void>,
): AsyncGenerator<string, void> {
  yield head + toText(first.value ?? []);
  for await (const rows of others) yield toText(rows);
  if (end !== undefined) yield end();
}
