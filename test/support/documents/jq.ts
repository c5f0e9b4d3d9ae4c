// Whether there is a `jq`: what is written with it for operators cannot be tried without.
import { execFileSync } from 'node:child_process';

export const hasJq = (() => {
  try {
    execFileSync('jq', ['--version']);
    return true;
  } catch {
    console.warn('jq is not here: what is written with it for operators is not tried.');
    return false;
  }
})();
