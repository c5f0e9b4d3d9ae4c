// Why a command failed, in one sentence: what the environment has wrong, who could not be reached and why, or what it
// said itself.
import { describeDatabaseFailure } from '../../drizzle/database/database-url.ts';
import { ConfigError } from './config.ts';

export const describeFailure = (error: Error): string =>
  error instanceof ConfigError
    ? error.message
    : (describeDatabaseFailure(error) ?? `The command failed: ${rootOf(error).message}`);

/** What wraps a failure of a query says the whole statement. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}
