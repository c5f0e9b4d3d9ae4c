// Seconds in which requests are signed: another one for each, so that equal bodies have different signatures. The
// oldest that the service takes come first: there are hundreds of calls before the caller's clock is too far ahead.

const BEHIND_SECONDS = 240;

export function distinctSeconds(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(Date.now() / 1000) - BEHIND_SECONDS);
    return last;
  };
}
