// `npm run chaos -- --seed N --minutes M [--callers C] [--no-faults] [--no-solana-payments] [--folder DIR]`: the
// topology of `npm run stack` under load of every kind and faults that a seed draws; then what must hold. Prints what
// breaks, by name, and ends with code 1 when anything does.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runChaos } from './run-chaos.ts';

const root = resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    callers: { type: 'string', default: '12' },
    faults: { type: 'boolean', default: true },
    'solana-payments': { type: 'boolean', default: true },
    folder: { type: 'string', default: join(root, '.local-chaos') },
  },
  allowNegative: true,
});

function readNumber(name: 'seed' | 'minutes' | 'callers'): number {
  const number = Number(values[name]);
  if (!(number > 0)) throw new Error(`--${name} must be a number above zero.`);
  return number;
}

runChaos({
  root,
  directory: resolve(values.folder),
  seed: readNumber('seed'),
  minutes: readNumber('minutes'),
  callers: readNumber('callers'),
  withFaults: values.faults,
  paysOnSolana: values['solana-payments'],
}).catch((error: Error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
