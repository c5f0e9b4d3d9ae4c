// Loaded first by a process whose clock is to be wrong for a while: `Date` tells the machine's time and as many
// milliseconds more as the file says that is named by this process. Timers keep their pace.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LOOK_EVERY_MS = 250;
const RealDate = Date;
const file = join(process.env.SKEWED_CLOCKS ?? '', String(process.pid));
let skewMs = 0;

const look = () => {
  try {
    skewMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    skewMs = 0;
  }
};
setInterval(look, LOOK_EVERY_MS).unref();

const now = () => RealDate.now() + skewMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
