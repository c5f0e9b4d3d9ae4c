// The other side of (d), as a process of its own: Node's HTTP server with nothing but a list of who waits for what.
// Checks nobody, reads nothing and answers everyone with the same text, once PostgreSQL announces the operation: it is
// a limit, not a service.
import { createServer, type ServerResponse } from 'node:http';
import postgres from 'postgres';
import { runProcess } from '../src/process/run-process.ts';

/** As long as the answer of the service. */
const ANSWER = JSON.stringify({ data: { status: 'success', filler: 'x'.repeat(845) } });

runProcess(async () => {
  const { DATABASE_URL = '', PORT } = process.env;
  const sql = postgres(DATABASE_URL, { max: 1 });
  const waiting = new Map<string, ServerResponse[]>();
  const server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    const others = waiting.get(id);
    if (others === undefined) waiting.set(id, [response]);
    else others.push(response);
  });
  server.keepAliveTimeout = 0;
  await sql.listen('operations', (id) => {
    for (const response of waiting.get(id) ?? []) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
      response.end(ANSWER);
    }
    waiting.delete(id);
  });
  await new Promise<void>((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve));
  console.log('listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await sql.end({ timeout: 5 });
  };
  return { stop };
});
