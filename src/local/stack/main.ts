// `npm run stack -- [FOLDER] [--port PORT]`: what a production has, on the loopback of this machine, by real parts with
// TLS. Whatever ends is started again; all of it ends with Ctrl-C, and goes on where it was when it is started again.
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeRunning, runParts } from '../processes/run-parts.ts';
import { type Stack, startStack } from './start-stack.ts';

const root = resolve(import.meta.dirname, '..'); // this file runs as dist/local-stack.js

async function main(): Promise<void> {
  const { folder, port } = readArguments(process.argv.slice(2));
  const directory = resolve(folder ?? join(root, '.local-stack'));
  await runParts(directory, async (running) => {
    const options = { ...running, root, directory, ...(port !== undefined && { port }) };
    return describeStack(directory, await startStack(options));
  });
}

function readArguments(args: string[]): { folder?: string; port?: number } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { port: { type: 'string' } } });
  const [folder, ...rest] = positionals;
  const port = values.port === undefined ? undefined : Number(values.port);
  if (rest.length > 0) throw new Error('Give one folder: npm run stack -- [FOLDER] [--port PORT].');
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    throw new Error('--port must be a number from 1 to 65535.');
  return { ...(folder !== undefined && { folder }), ...(port !== undefined && { port }) };
}

function describeStack(directory: string, stack: Stack): string {
  const path = (name: string) => relative(process.cwd(), join(directory, name)) || '.';
  const tls = [
    `--tls-ca-path ${path('tls/authority.pem')} --tls-server-name temporal.stack`,
    `--tls-cert-path ${path('tls/service.pem')} --tls-key-path ${path('tls/service.key')}`,
  ].join(' ');
  return describeRunning('The stack runs.', [
    ['API', `${stack.baseUrl} (the proxy before two APIs)`],
    ['Reference', `${stack.baseUrl}/docs`],
    ['Temporal', `${stack.temporalAddress}, with a client certificate; look into it with`],
    ['', `temporal workflow list --address ${stack.temporalAddress} --namespace countersign ${tls}`],
    ['PostgreSQL', `psql "$(cat ${path('secrets/database-owner-url')})"`],
    ['Prometheus', stack.prometheusUrl ?? 'left out: it is not installed'],
    ['Credentials', path('credentials.json')],
    ['Logs', path('logs')],
    ['Operate', `set -a; . ${path('environment')} (in a shell, before the commands of RUNBOOK.md)`],
    ['Stop', 'Ctrl-C stops all of it'],
  ]);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
