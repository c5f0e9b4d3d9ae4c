// The code that PostgreSQL gave a failure, whatever wraps it.
import postgres from 'postgres';

/** Five characters, as https://www.postgresql.org/docs/current/errcodes-appendix.html has them. */
export function failureCode(error: unknown): string | undefined {
  if (error instanceof postgres.PostgresError) return error.code;
  return error instanceof Error && error.cause !== undefined ? failureCode(error.cause) : undefined;
}
