// The command `npm run verify-approval -- FILE [--digest HEX] [--passkeys FILE]…`: verifies offline what proves an
// approval. Reads nothing else, asks nobody, and ends with code 1 when anything is wrong.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ApprovalEvidence, EVIDENCE_FORMAT, judgeEvidence } from '../../domain/passkeys/approval-evidence.ts';

const USAGE = `Usage: npm run verify-approval -- FILE [--digest HEX] [--passkeys FILE]…
  FILE              the answer of /api/v1/approvals/{subject_id}/evidence
  --digest HEX      the digest that it must be of
  --passkeys FILE   an answer of /api/v1/users/{user_id}/passkeys from a time that you trust: votes of other keys are wrong; may be repeated`;

/** What is wrong with the call, not with the evidence. */
class UsageError extends Error {}

function main(): void {
  const { document, digest, trusted } = readArguments();
  const { holds, digestMatches, votes, provenApprovals } = judgeEvidence(document, trusted);
  const isAsked = digest === undefined || digest === document.digest;
  console.log(`${document.subject.replaceAll('_', ' ')} ${document.subject_id}, digest ${document.digest}`);
  if (!isAsked) console.log('This is NOT the digest that was asked for.');
  if (digestMatches === undefined) console.log('What the digest is of is not in the file.');
  else console.log(digestMatches ? 'The digest is that of the content.' : 'The digest is NOT that of the content.');
  for (const { userId, decision, verdict, because } of votes)
    console.log(`${userId} ${decision}: ${verdict === 'false' ? 'NOT PROVEN' : verdict}, ${because}`);
  console.log(`${provenApprovals} of ${document.required} approvals are proven by passkeys.`);
  if (!holds || !isAsked) process.exitCode = 1;
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { digest: { type: 'string' }, passkeys: { type: 'string', multiple: true, default: [] } },
  });
  const [file, other] = positionals;
  if (file === undefined || other !== undefined) throw new UsageError(USAGE);
  const document = readData(file) as ApprovalEvidence;
  if (document?.format !== EVIDENCE_FORMAT || !Array.isArray(document.votes))
    throw new UsageError(`${file} holds no evidence of an approval.`);
  const trusted = values.passkeys.length === 0 ? undefined : readTrusted(values.passkeys);
  return { document, digest: values.digest?.toLowerCase(), trusted };
}

function readTrusted(files: readonly string[]): Record<string, string[]> {
  const trusted: Record<string, string[]> = {};
  for (const file of files) {
    const passkeys = readData(file);
    if (!Array.isArray(passkeys)) throw new UsageError(`${file} holds no list of passkeys.`);
    for (const { user_id, public_key } of passkeys as { user_id: string; public_key: string }[])
      trusted[user_id] = [...(trusted[user_id] ?? []), public_key];
  }
  return trusted;
}

/** Of an answer its data; of a file that holds the data alone, that. */
function readData(file: string): unknown {
  const value = JSON.parse(readFileSync(file, 'utf8')) as { data?: unknown } | null;
  return value?.data ?? value;
}

try {
  main();
} catch (error) {
  console.error(
    error instanceof UsageError ? error.message : `The file could not be verified: ${(error as Error).message}`,
  );
  process.exitCode = 1;
}
