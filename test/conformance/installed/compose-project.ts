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

/** Where a secret is in a container. */
export const secretPath = (target: string) => (target.startsWith('/') ? target : `/run/secrets/${target}`);
