// Loads compose.yaml as Docker Compose does, and says of its project what the test asks.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildGoProgram } from '../../support/processes/go-program.ts';

export interface Service {
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  network_mode?: string;
  security_opt?: string[];
  ulimits?: Record<string, object>;
  restart: string;
  command: string[] | null;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  networks: Record<string, { aliases?: string[] } | null>;
  ports?: { host_ip?: string; published: string; target: number }[];
  secrets?: { source: string; target: string }[];
  volumes?: { type: string; source: string; target: string; read_only?: boolean }[];
}

export interface Project {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
}

interface Store {
  SQL: { User: string; Password: string; DatabaseName: string; ConnectAddr: string };
}

/** `root` is the folder of the repository, and the files are in it. */
export async function loadProject(root: string, ...files: string[]): Promise<Project> {
  const program = await buildGoProgram(join(root, '.local'), {
    name: 'compose-project',
    modules: { 'github.com/compose-spec/compose-go/v2': 'v2.16.2' },
    package: { source: readFileSync(join(import.meta.dirname, 'go/compose-project.go'), 'utf8') },
  });
  const { stdout } = await promisify(execFile)(program, [root, ...files.map((file) => join(root, file))]);
  return JSON.parse(stdout) as Project;
}

/** The stores of the configuration in this folder, as Temporal reads it. Throws with what Temporal says of a file. */
export async function loadTemporal(root: string, folder: string, dynamic: string): Promise<Record<string, Store>> {
  const program = await buildGoProgram(join(root, '.local'), {
    name: 'temporal-configuration',
    modules: { 'go.temporal.io/server': 'v1.29.1' },
    package: { source: readFileSync(join(import.meta.dirname, 'go/temporal-configuration.go'), 'utf8') },
  });
  const { stdout, stderr } = await promisify(execFile)(program, [folder, dynamic]);
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, Store>;
}

/** Where a secret is in a container. */
export const secretPath = (target: string) => (target.startsWith('/') ? target : `/run/secrets/${target}`);
