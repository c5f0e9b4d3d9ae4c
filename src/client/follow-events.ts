// Walks the feed of events by the place of the last one, or without one from the oldest that is kept: to its end, or on
// and on with those that come. The service holds a read until there is one (`Prefer: wait`), and a service that is away
// for a while is waited for. A place before what is kept ends it with the service's `invalid_cursor`.
import { pause } from './retry.ts';
import type { Answer } from './transport.ts';

/** Between reads that the service answers at once with nothing, as it does when too many wait or while it is away. */
const PAUSE_MS = 500;

interface Placed {
  seq: number;
}

export async function* eachEvent<Event extends Placed>(
  afterSeq: number | undefined,
  readPage: (afterSeq: number | undefined) => Promise<readonly Event[]>,
): AsyncGenerator<Event, void> {
  for (let last = afterSeq; ; ) {
    const page = await readPage(last);
    if (page.length === 0) return;
    yield* page;
    last = page.at(-1)?.seq ?? last;
  }
}

/** `readHeld` answers undefined when the service cannot answer now. */
export async function* followEvents<Event extends Placed>(
  afterSeq: number | undefined,
  readHeld: (afterSeq: number | undefined) => Promise<Answer | undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, void> {
  for (let last = afterSeq; ; ) {
    const answer = await readHeld(last);
    const page = (answer?.data ?? []) as readonly Event[];
    yield* page;
    last = page.at(-1)?.seq ?? last;
    if (page.length === 0 && answer?.headers.get('preference-applied') !== 'wait') await pause(PAUSE_MS, signal);
  }
}
