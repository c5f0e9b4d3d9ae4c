// Runs named commands, a few at a time, and says of each how long it took. Shows the output of those that fail. Stops
// at nothing: all failures are shown.
import { spawn } from 'node:child_process';

/** @param {{name: string, command: string, args: string[]}[]} steps */
export async function runSteps(steps, { atOnce = 2 } = {}) {
  const waiting = [...steps];
  const failed = [];
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const startedAt = performance.now();
      const { code, output } = await run(step);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
      if (code !== 0) failed.push(step.name);
      if (code !== 0) console.log(output);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return failed;
}

function run({ command, args }) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
