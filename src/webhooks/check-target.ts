// Whether a webhook may be sent to a URL, when a caller names it. A name may lead elsewhere later: the worker looks again before it connects.
import { promises } from 'node:dns';
import { hostOf, isPublicAddress, refuseTarget, type TargetRules } from '../../payloads/webhook-target.ts';
import { ApiError } from '../http/errors.ts';

const QUESTION_TIMEOUT_MS = 2_000;

export interface Targets extends TargetRules {
  /** Every address of a name; DNS when absent. */
  resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

/** A name that leads nowhere now is taken: its owner may be about to set it. */
export async function assertTarget(url: string, { resolve = askDns, ...rules }: Targets): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const refusal = refuseTarget(target, rules);
  if (refusal !== undefined) throw new ApiError('invalid_request', `body.url ${refusal}.`);
  if (rules.allowPrivate || target === undefined) return;
  const addresses = await resolve(hostOf(target));
  if (!addresses.every(isPublicAddress))
    throw new ApiError(
      'invalid_request',
      'body.url must lead to public addresses only: its name leads to another one.',
    );
}

async function askDns(hostname: string): Promise<string[]> {
  const resolver = new promises.Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
