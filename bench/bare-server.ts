// The other side of (a) and (b), as a process of its own: Fastify with nothing but the one statement and the one start
// that the same effect needs. Checks nobody and nothing: it is a limit, not a service.
import { Client, Connection } from '@temporalio/client';
import Fastify from 'fastify';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { runProcess } from '../src/process/run-process.ts';
import { signedAs } from './support/signed-requests.ts';

/** As DATABASE_POOL_SIZE of the API. */
const POOL_SIZE = 10;
const { network, path } = signedAs.secp256k1;

runProcess(async () => {
  const { DATABASE_URL = '', TEMPORAL_ADDRESS = '', TASK_QUEUE = '', WORKSPACE_ID = '', PORT } = process.env;
  const sql = postgres(DATABASE_URL, { max: POOL_SIZE });
  const client = new Client({ connection: await Connection.connect({ address: TEMPORAL_ADDRESS }) });
  const app = Fastify();

  app.post('/api/v1/web3/:wallet_id/sign', async (request, reply) => {
    const { wallet_id } = request.params as { wallet_id: string };
    const { signing_hash } = request.body as { signing_hash: string };
    const id = uuidv7();
    await sql`
      insert into signing_requests (
        id, workspace_id, wallet_id, operation_type, network_internal_code, key_type, signing_hash, unsigned_tx, derivation_path
      ) values (
        ${id}, ${WORKSPACE_ID}, ${wallet_id}, 'generic', ${network}, 'secp256k1', ${signing_hash}, ${signing_hash},
        ${path.join('/')}
      )`;
    await client.workflow.start('noopOperation', { workflowId: id, taskQueue: TASK_QUEUE, args: [id] });
    return reply.code(202).send({ id });
  });

  app.get('/api/v1/signing-requests/:id', async (request) => {
    const { id } = request.params as { id: string };
    const [row] = await sql`select * from signing_requests where id = ${id}`;
    return row;
  });

  app.get('/health', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: Number(PORT) });
  const stop = async () => {
    await app.close();
    await client.connection.close();
    await sql.end({ timeout: 5 });
  };
  return { stop };
});
