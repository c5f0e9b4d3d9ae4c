// The API process.
import { connectDatabase } from '../drizzle/database.ts';
import { buildApp } from './app.ts';
import { ConfigError, readServerConfig } from './config.ts';
import { runProcess } from './process.ts';
import { WorkflowStarter } from './start-workflow.ts';
import { temporalClient, temporalSettings } from './temporal.ts';

runProcess(async () => {
  const config = readServerConfig(process.env);
  const temporal = temporalSettings(config);
  const connection = connectDatabase(config.DATABASE_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    name: 'countersign-api',
  });
  const { db } = connection;
  const client = temporalClient(temporal);
  let warn: (details: object, message: string) => void = () => {};
  const starter = new WorkflowStarter({
    client,
    taskQueue: temporal.taskQueue,
    db,
    log: { warn: (details, message) => warn(details, message) },
  });
  const settings = {
    keyEncryptionKey: config.KEY_ENCRYPTION_KEY,
    signRawEnabled: config.SIGN_RAW_ENABLED,
    logLevel: config.LOG_LEVEL,
  };
  const app = await buildApp({ db, client, starter, settings });
  warn = (details, message) => app.log.warn(details, message);
  await listen(() => app.listen({ host: config.HOST, port: config.PORT }), config);
  const [address] = app.addresses();
  app.log.info({ address, environment: config.SERVICE_ENV }, 'server listening');
  return async () => {
    await app.close();
    await starter.drain();
    await client.connection.close();
    await connection.close();
  };
});

async function listen(open: () => Promise<unknown>, { HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
  try {
    await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new ConfigError(`Port ${PORT} on ${HOST} is taken: set PORT to a free one.`);
    throw error;
  }
}
