// Times that two parts keep with each other in mind, each told once: who waits for something waits longer than it may
// take. What only one part knows of stands in that part. Imports nothing, so that workflows may read it.

/** While an activity works, its worker says so often that it is alive. */
export const HEARTBEAT_EVERY_MS = 2_000;
/** After so long without a heartbeat an activity is given to another worker: two may be late. */
export const SILENCE_MAX_MS = 3 * HEARTBEAT_EVERY_MS;
/** The same for work that is dear to begin again. */
export const DEAR_SILENCE_MAX_MS = 5 * HEARTBEAT_EVERY_MS;

/** One attempt of an activity that asks the cluster or a chain a few questions. */
export const ATTEMPT_MAX_MS = 60_000;
/** For its turn among those of its workspace an activity waits in its attempt: most of that is left for its work. */
export const TURN_WAIT_MAX_MS = ATTEMPT_MAX_MS / 3;

/** Of a step that moves rows, in the worker itself. */
export const ROW_STEP_MAX_MS = 10_000;
/** What such a step asks the nodes of a chain: it answers without them before its own time is over. */
export const ASKED_IN_ROW_STEP_MAX_MS = ROW_STEP_MAX_MS - 3_000;

/**
 * Of an attempt to build a transaction: on a Bitcoin node without an index of addresses it reads all unspent outputs,
 * which takes minutes on the main network.
 */
export const COIN_SCAN_MAX_MS = 10 * 60_000;
/**
 * Such an attempt, with what else it asks: one that ended before the scan would begin another in vain, again and again.
 */
export const PREPARATION_MAX_MS = COIN_SCAN_MAX_MS + ATTEMPT_MAX_MS;

/**
 * So long after a workflow has scheduled an activity that signs, the activity believes what the workflow knew then.
 * After that it asks whether a caller has ended the operation meanwhile.
 */
export const TOLD_WITHIN_MS = 2_000;

/** From when a signature is asked for to when it is given up, over all attempts. */
export const SIGNING_MAX_MS = 15 * 60_000;
/** The first attempt, in the worker that runs the workflow: a healthy cluster signs within some 10 ms. */
export const AT_ONCE_MAX_MS = 5_000;
/**
 * One that came alone and has not begun by then goes on in an activity of its own: meanwhile it holds the place of its
 * workflow's task, and nodes that hang must not take all of those.
 */
export const ALONE_BEGINS_WITHIN_MS = 1_000;
/**
 * A member of a group that has not begun by then goes on in a workflow of its own, which costs several times as much:
 * so it waits for as long as a crowd of two thousand takes.
 */
export const GROUP_BEGINS_WITHIN_MS = 20_000;
/** So long after the end of a signing operation no attempt of it is under way any more, by clocks that differ. */
export const SIGNING_SETTLED_AFTER_MS = ATTEMPT_MAX_MS + 10_000;
/**
 * An operation that is open for longer than a signature may take is orphaned if its workflow has ended. A wallet may
 * take days: its workflow says whether it still does.
 */
export const ORPHANED_AFTER_MS = SIGNING_MAX_MS + 5 * 60_000;

/** For so long, at least, Temporal refuses a second run of an operation whose workflow has ended. */
export const SECOND_RUN_REFUSED_FOR_MS = 24 * 3_600_000;
/** After that no run of it begins: an operation is started so soon after it was accepted, or not at all. */
export const STARTED_WITHIN_MS = SECOND_RUN_REFUSED_FOR_MS - 3_600_000;

/** One round of webhooks to one endpoint goes on for so long, and then ends what is under way. */
export const DELIVERY_ROUND_MS = 30_000;
/** One attempt to send a webhook. */
export const DELIVERY_ATTEMPT_MAX_MS = 15_000;

/** How far the clock of a caller may be from ours. */
export const CLOCK_SKEW_MAX_SECONDS = 300;
/**
 * An accepted signature that is dated ahead authenticates for twice the skew; the clocks of our processes differ too.
 */
export const ACCEPTED_SIGNATURES_KEPT_SECONDS = 3 * CLOCK_SKEW_MAX_SECONDS;

/**
 * A repeated idempotency key gets the original answer for so long at least, whatever an operator sets: the contract
 * with callers says it.
 */
export const IDEMPOTENCY_KEYS_KEPT_DAYS_MIN = 30;
/**
 * A receiver that was away for less misses no event of the feed. The database refuses a shorter time, too
 * (`remove_events` in the migrations).
 */
export const EVENTS_KEPT_DAYS_MIN = 30;
/** What became of a delivery is shown for longer than an endpoint may fail before it is disabled. */
export const DELIVERIES_KEPT_DAYS_MIN = 7;

/** One attempt to write an export. Its snapshot keeps the database from clearing dead rows for as long. */
export const EXPORT_ATTEMPT_MAX_MS = 2 * 3_600_000;
/** Over all attempts. */
export const EXPORT_MAX_MS = 6 * 3_600_000;

/** A session of the console ends after so long, whatever is done in it. */
export const SESSION_MAX_MS = 8 * 3_600_000;
/** And after so long without a request: a page that is open asks every few seconds. */
export const SESSION_IDLE_MAX_MS = 15 * 60_000;
/** So long somebody may take to answer what their passkey asks. */
export const PASSKEY_CEREMONY_MAX_MS = 3 * 60_000;
/** An enrolment link can be used for so long, unless whoever makes it says otherwise. */
export const ENROLMENT_LINK_DEFAULT_SECONDS = 24 * 3_600;
export const ENROLMENT_LINK_MAX_SECONDS = 7 * 24 * 3_600;
/** A schedule of exports that was due while Temporal or the workers were away is made up for within this time. */
export const SCHEDULE_CATCH_UP_MS = 24 * 3_600_000;
