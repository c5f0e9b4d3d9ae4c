// A PostgreSQL server of a test's own that takes connections over TLS alone, with a certificate of an authority of the
// test.
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import type { Certificate } from './certificates.ts';
import { type KillablePostgres, startKillablePostgres } from './killable-postgres.ts';

export interface TlsPostgres {
  /** Without anything about TLS. */
  url: string;
  /** An owner's connection, taken before TLS was asked for. */
  sql: Sql;
  /** Takes another certificate from the next connection on. */
  present(certificate: Certificate): Promise<void>;
  /** Which logins are let in: the lines of pg_hba.conf. */
  admit(...lines: string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startTlsPostgres(certificate: Certificate, clientAuthorityFile: string): Promise<TlsPostgres> {
  const server: KillablePostgres = await startKillablePostgres();
  const sql = postgres(server.url, { max: 1, onnotice: () => {}, idle_timeout: 0, max_lifetime: null });
  const [row] = await sql`select current_setting('data_directory') as data, current_setting('hba_file') as hba`;
  const { data, hba } = row as unknown as { data: string; hba: string };
  const owner = statSync(data);
  const write = (name: string, content: string) => {
    const path = name.startsWith('/') ? name : join(data, name);
    writeFileSync(path, content, { mode: 0o600 });
    chownSync(path, owner.uid, owner.gid);
  };
  const reload = async () => {
    await sql`select pg_reload_conf()`;
    await new Promise((resolve) => setTimeout(resolve, 300));
  };
  const present = async ({ cert, key }: Certificate) => {
    write('server.crt', cert);
    write('server.key', key);
    await reload();
  };
  write('clients.crt', readFileSync(clientAuthorityFile, 'utf8'));
  write('server.crt', certificate.cert);
  write('server.key', certificate.key);
  await sql.unsafe(`alter system set ssl_ca_file = 'clients.crt'`);
  await sql.unsafe('alter system set ssl = on');
  const admit = async (...lines: string[]) => {
    write(hba, `${lines.join('\n')}\n`);
    await reload();
  };
  await admit('hostssl all all 127.0.0.1/32 scram-sha-256');
  return {
    url: server.url,
    sql,
    present,
    admit,
    stop: async () => {
      await sql.end();
      await server.stop();
    },
  };
}
