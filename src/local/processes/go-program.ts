// Builds a program with Go once, and keeps it in .local/bin. What is built is a package of a published module, or a
// source of ours, within a module that is made for it: `go install` refuses one whose go.mod carries a replace
// directive, and our sources are no module of their own.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, isExecutable } from './programs.ts';
import { type Reporting, runBuild } from './run-build.ts';

export interface GoProgram {
  name: string;
  /** By path, with their versions. */
  modules: Readonly<Record<string, string>>;
  /** The path of a package of these modules, or the text of a `main.go` that uses them. */
  package: { path: string } | { source: string };
  tags?: readonly string[];
}

/** `directory` is the project's .local. */
export async function buildGoProgram(directory: string, program: GoProgram, reporting: Reporting): Promise<string> {
  const built = join(directory, 'bin', `${program.name}-${versionOf(program)}`);
  if (isExecutable(built)) return built;
  const go = findOnPath('go');
  if (go === undefined) throw new Error(`Install Go (https://go.dev/dl) to build \`${program.name}\` with.`);
  const module = mkdtempSync(join(tmpdir(), `countersign-${program.name}-`));
  try {
    const required = Object.entries(program.modules).map(([path, version]) => `require ${path} ${version}`);
    writeFileSync(join(module, 'go.mod'), `module ${program.name}\n\ngo 1.25\n\n${required.join('\n')}\n`);
    if ('source' in program.package) writeFileSync(join(module, 'main.go'), program.package.source);
    mkdirSync(join(directory, 'bin'), { recursive: true });
    const what = 'path' in program.package ? program.package.path : '.';
    await runBuild({
      name: `${program.name} with Go`,
      command: go,
      args: ['build', '-mod=mod', '-tags', (program.tags ?? []).join(','), '-o', built, what],
      directory: module,
      logFile: join(directory, 'logs', `build-${program.name}.log`),
      reporting,
    });
  } finally {
    rmSync(module, { recursive: true });
  }
  return built;
}

/** What is built anew when something of it changes. */
const versionOf = (program: GoProgram) =>
  createHash('sha256').update(JSON.stringify(program)).digest('hex').slice(0, 12);
