// The command `npm run verify-audit -- --file EXPORT --workspace ID --public-key KEY [--head FILE]…`: verifies an
// exported audit log offline. Reads nothing else, asks nobody, and ends with code 1 when anything is wrong.
import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SignedHead } from '../../domain/audit/audit-chain.ts';
import { readHead, splitLines, verifyExport } from '../audit/verify-export.ts';

const USAGE = `Usage: npm run verify-audit -- --file EXPORT --workspace ID --public-key KEY [--head FILE]…
  --file EXPORT     the audit log as the API exports it with format=jsonl
  --workspace ID    the workspace that it must be of
  --public-key KEY  the key that must have signed it, base64: …/audit-logs/head shows it; keep it from a time that you trust
  --head FILE       an answer of …/audit-logs/head that was kept: the log must still agree with it; may be repeated`;

/** What is wrong with the call, not with the log. */
class UsageError extends Error {}

async function main(): Promise<void> {
  const { file, workspaceId, publicKey, kept } = readArguments();
  const lines = splitLines(createReadStream(file, 'utf8') as AsyncIterable<string>);
  const { valid, entries, seq, hash, problems } = await verifyExport(lines, { workspaceId, publicKey, kept });
  for (const problem of problems)
    console.log(`${problem.seq === null ? '' : `entry ${problem.seq}: `}${problem.message}`);
  console.log(`${entries} entries were checked; the last is ${seq} with the hash ${hash}.`);
  console.log(valid ? 'The log is whole and unchanged.' : 'The log is NOT as it was written.');
  if (!valid) process.exitCode = 1;
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      workspace: { type: 'string' },
      'public-key': { type: 'string' },
      head: { type: 'string', multiple: true, default: [] },
    },
  });
  const { file, workspace, 'public-key': publicKey } = values;
  if (file === undefined || workspace === undefined || publicKey === undefined) throw new UsageError(USAGE);
  if (Buffer.from(publicKey, 'base64').length !== 32) throw new UsageError('--public-key must be 32 bytes as base64.');
  return { file, workspaceId: workspace.toLowerCase(), publicKey, kept: values.head.map(readHeadFile) };
}

function readHeadFile(path: string): SignedHead {
  const head = readHead(JSON.parse(readFileSync(path, 'utf8')) as unknown);
  if (head === undefined) throw new UsageError(`--head: ${path} holds no signed head.`);
  return head;
}

main().catch((error: Error) => {
  console.error(error instanceof UsageError ? error.message : `The file could not be verified: ${error.message}`);
  process.exitCode = 1;
});
