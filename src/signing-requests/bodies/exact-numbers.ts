// Refuses JSON with a number that a parser may round: what is signed must be what was written. Plain whole numbers up
// to 2^53 - 1 are exact everywhere.
import { ApiError } from '../../http/errors.ts';

/** Strings, which may hold digits, and numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

/** `json` is valid JSON; `what` names it in the error. */
export function assertExactNumbers(what: string, json: string): void {
  for (const [token] of json.matchAll(TOKENS)) {
    if (token.startsWith('"') || (WHOLE_NUMBER.test(token) && Number.isSafeInteger(Number(token)))) continue;
    throw new ApiError(
      'invalid_request',
      `${what} has the number ${token.slice(0, 40)}: send whole numbers, and those beyond 2^53 - 1 as strings.`,
    );
  }
}
