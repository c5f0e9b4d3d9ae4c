// The checks of `countersign doctor` that begin outside: whether the service is reached, whether the clocks agree,
// whether it says that it is ready, and what the key may do.
import { type CountersignClient, CountersignError } from '../../client/client.ts';
import { describeEnd } from '../exit-codes.ts';
import { age, type Finding, ok, problem, watch } from './findings.ts';

const ANSWER_WITHIN_MS = 10_000;
const SLOW_MS = 1_000;
/** A request that was signed further from the clock of the service is refused. */
const SKEW_MAX_SECONDS = 300;
const SKEW_WATCHED_SECONDS = 30;
const EXPIRY_WATCHED_MS = 14 * 24 * 3_600_000;

interface Answered {
  status: number;
  data: unknown;
  message: string | undefined;
  tookMs: number;
}

/** Without a signature, and once: here it matters what the first answer is. */
async function ask(baseUrl: string, path: string, signal: AbortSignal): Promise<Answered> {
  const startedMs = performance.now();
  const response = await fetch(baseUrl + path, {
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
  });
  const text = await response.text();
  const tookMs = performance.now() - startedMs;
  const answer = parse(text) as { data?: unknown; message?: unknown } | undefined;
  const message = typeof answer?.message === 'string' ? answer.message : undefined;
  return { status: response.status, data: answer?.data ?? answer, message, tookMs };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export async function checkConnection(
  baseUrl: string,
  signal: AbortSignal,
): Promise<{ isReached: boolean; findings: Finding[] }> {
  try {
    await ask(baseUrl, '/health', signal); // opens the connection, which is no part of what an answer takes
    const sentMs = Date.now();
    const { status, data, tookMs } = await ask(baseUrl, '/time', signal);
    const seconds = (data as { unix_seconds?: unknown } | undefined)?.unix_seconds;
    if (status !== 200 || typeof seconds !== 'number') return { isReached: false, findings: [strange(status)] };
    const took = `answers in ${Math.round(tookMs)} ms`;
    const reached =
      tookMs > SLOW_MS
        ? watch('reachability', took, 'The way to the service, or the service, is slow.')
        : ok('reachability', took);
    // The service says whole seconds.
    const skew = (sentMs + tookMs / 2) / 1000 - (seconds + 0.5);
    return { isReached: true, findings: [reached, clockOf(skew)] };
  } catch (error) {
    const { cause } = error as Error;
    const reason =
      cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : (error as Error).message;
    const advice =
      'See that the address is right, that an API process runs, and what stands between (TLS, balancer, firewall).';
    return { isReached: false, findings: [problem('reachability', `no answer (${reason})`, advice)] };
  }
}

const strange = (status: number) =>
  problem(
    'reachability',
    `answers ${status}, and not as this service does`,
    'The address leads to something else, such as a balancer.',
  );

function clockOf(skew: number): Finding {
  const by = Math.abs(skew);
  const says = by < 2 ? 'agrees with the service' : `is ${age(by)} ${skew > 0 ? 'ahead of' : 'behind'} the service`;
  const advice = `Synchronise both by NTP: requests that differ by more than ${SKEW_MAX_SECONDS} s are refused.`;
  if (by > SKEW_MAX_SECONDS) return problem('clock', says, advice);
  return by > SKEW_WATCHED_SECONDS ? watch('clock', says, advice) : ok('clock', says);
}

const READINESS = [
  ['ready', '/ready', 'This API process cannot serve: it has no PostgreSQL, or is about to stop.'],
  ['ready?deep', '/ready?deep', 'A part that operations need is away: the runbook has a row for each alert.'],
] as const;

export async function checkReadiness(baseUrl: string, signal: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, path, advice] of READINESS) {
    const answer = await ask(baseUrl, path, signal).catch((error: Error) => error);
    if (answer instanceof Error) findings.push(problem(check, answer.message, advice));
    else if (answer.status !== 200)
      findings.push(problem(check, `${answer.status}: ${answer.message ?? 'no sentence with it'}`, advice));
    else {
      const parts = Object.entries((answer.data ?? {}) as Record<string, unknown>);
      findings.push(ok(check, parts.map(([name, status]) => `${name} ${String(status)}`).join(', ')));
    }
  }
  return findings;
}

interface Key {
  scopes: readonly string[];
}

export async function checkKey(client: CountersignClient): Promise<{ findings: Finding[]; key?: Key }> {
  try {
    const { name, scopes, expires_at, wallet_ids, ip_allowlist } = await client.get('/api/v1/api-keys/self');
    const bound = [
      wallet_ids.length > 0 ? `bound to ${wallet_ids.length} wallets` : 'for every wallet',
      ip_allowlist === undefined ? 'from any address' : `from ${ip_allowlist.length} addresses`,
    ];
    const findings = [ok('key', `${name}, ${bound.join(', ')}: ${scopes.join(' ')}`)];
    if (expires_at !== undefined && Date.parse(expires_at) - Date.now() < EXPIRY_WATCHED_MS)
      findings.push(watch('key', `expires at ${expires_at}`, 'Make another key before.'));
    if (scopes.length === 0) findings.push(watch('key', 'may do nothing', 'Give it scopes.'));
    return { findings, key: { scopes } };
  } catch (error) {
    const says = describeEnd(error, false).sentence;
    const advice =
      error instanceof CountersignError && error.status === 401
        ? 'The key, its secret, the clock or the address that it is used from is not right: which, the service tells nobody.'
        : 'See what the service logs under this request.';
    return { findings: [problem('key', says, advice)] };
  }
}
