// How far a search goes: `npm test` looks at a part that is worth its seconds, `npm run test:full` at the whole or at
// the rest.

/** Of the two the one that fits how the tests were started. */
export function byDepth<T>({ essential, full }: { essential: T; full: T }): T {
  return process.env['TEST_SUITE'] === 'full' ? full : essential;
}
