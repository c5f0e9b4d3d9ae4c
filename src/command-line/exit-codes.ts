// How a command ends, for scripts: its exit code and one sentence. The codes are documented in docs/command-line.md and
// do not change.
import {
  CountersignError,
  ItemRefusedError,
  OperationFailedError,
  OperationOpenError,
  UnreachableError,
} from '../client/client.ts';
import { visible } from './visible-text.ts';

export const exitCodes = {
  success: 0,
  /** Something that nobody has thought of. */
  unforeseen: 1,
  /** The call is not right: an argument, a profile, a file. Nothing was asked. */
  usage: 2,
  /** The service has refused, and would refuse again. */
  refused: 3,
  /** The operation has ended without success. */
  failed: 4,
  /** The operation was not final in time, and goes on. */
  open: 5,
  /** No answer, or one that says to come again. */
  unavailable: 6,
  /** What was looked at is not as it should be. */
  problem: 7,
  /** By Ctrl-C. */
  interrupted: 130,
} as const;

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What is wrong with the call. Says in one sentence what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What was looked at is not as it should be. What is wrong was printed before. */
export class ProblemError extends Error {
  override name = 'ProblemError';
}

const MAY_PASS: readonly number[] = [429, 500, 502, 503, 504];

export function describeEnd(error: unknown, isInterrupted: boolean): { code: ExitCode; sentence: string } {
  if (isInterrupted) return { code: exitCodes.interrupted, sentence: 'Interrupted. What was asked for goes on.' };
  return { code: codeOf(error), sentence: visible(sentenceOf(error)) };
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof ProblemError) return exitCodes.problem;
  if (error instanceof OperationFailedError) return exitCodes.failed;
  if (error instanceof OperationOpenError) return exitCodes.open;
  if (error instanceof UnreachableError) return exitCodes.unavailable;
  if (error instanceof ItemRefusedError) return exitCodes.refused;
  if (!(error instanceof CountersignError)) return exitCodes.unforeseen;
  return MAY_PASS.includes(error.status) && error.code !== 'route_disabled' ? exitCodes.unavailable : exitCodes.refused;
}

function sentenceOf(error: unknown): string {
  if (error instanceof UnreachableError) return `${error.message}${reasonOf(error.cause)}`;
  if (error instanceof CountersignError && error.requestId !== undefined)
    return `${error.message} (request ${error.requestId})`;
  return error instanceof Error ? error.message : String(error);
}

/** What `fetch` throws says nothing, and its cause says why. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const reason = 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message;
  return reason === '' ? '' : ` (${reason})`;
}
