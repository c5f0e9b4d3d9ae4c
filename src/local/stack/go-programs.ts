// The programs of others that the stack runs: on the PATH, else built here with Go once and kept in .local/bin.
import { buildGoProgram, type GoProgram } from '../processes/go-program.ts';
import { findOnPath } from '../processes/programs.ts';
import type { Reporting } from '../processes/run-build.ts';

const TEMPORAL = { 'go.temporal.io/server': 'v1.29.1' };
const CADDY = 'github.com/caddyserver/caddy/v2';

/** Its releases come with many more modules, most of which a proxy on this machine has no use for. */
const caddySource = `package main

import (
	caddycmd "${CADDY}/cmd"
	_ "${CADDY}/modules/caddyhttp"
	_ "${CADDY}/modules/caddyhttp/reverseproxy"
)

func main() { caddycmd.Main() }
`;

export type StackPrograms = { temporalServer: string; temporalSqlTool: string; caddy: string };

/** `directory` is the project's .local. One is built after the other: each build keeps all cores busy. */
export async function findStackPrograms(directory: string, reporting: Reporting): Promise<StackPrograms> {
  const find = async (program: GoProgram) => findOnPath(program.name) ?? buildGoProgram(directory, program, reporting);
  const temporal = (name: string, path: string) =>
    find({ name, modules: TEMPORAL, package: { path: `go.temporal.io/server/cmd/${path}` } });
  return {
    temporalServer: await temporal('temporal-server', 'server'),
    temporalSqlTool: await temporal('temporal-sql-tool', 'tools/sql'),
    caddy: await find({ name: 'caddy', modules: { [CADDY]: 'v2.11.9' }, package: { source: caddySource } }),
  };
}
