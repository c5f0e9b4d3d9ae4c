// The login as which the API and the worker run: a member of the role that can add to the audit log and change nothing
// in it. Made by the owner of the database.
import { sql } from 'drizzle-orm';
import { connectDatabase } from './connection.ts';

export interface ServiceLogin {
  name: string;
  password: string;
}

/** Makes the login, or gives it this password. Returns the address of the same database for it. */
export async function provideServiceLogin(ownerUrl: string, { name, password }: ServiceLogin): Promise<string> {
  const connection = connectDatabase(ownerUrl, { poolSize: 1, name: 'countersign-service-login' });
  try {
    const [found] = await connection.db.execute(sql`select from pg_roles where rolname = ${name}`);
    const pattern =
      found === undefined ? 'create role %I login password %L in role countersign_app' : 'alter role %I password %L';
    // A statement that makes a role takes no parameters.
    const [made] = await connection.db.execute(
      sql`select format(${pattern}::text, ${name}::text, ${password}::text) as statement`,
    );
    await connection.db.execute(sql.raw(String(made?.['statement'])));
  } finally {
    await connection.close();
  }
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = password;
  return url.href;
}
