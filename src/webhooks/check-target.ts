// Whether a webhook may be sent to a URL, when a caller names it. A name may lead elsewhere later: the worker looks
// again before it connects.
import { promises } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { hostOf, mayReach, refuseTarget, type TargetRules } from '../../domain/webhook-target.ts';
import { ApiError } from '../http/errors.ts';

const QUESTION_TIMEOUT_MS = 2_000;
const HOST_MAX = 253;
const LABEL_MAX = 63;

export interface Targets extends TargetRules {
  /** Every address of a name; DNS when absent. */
  resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

/**
 * The URL in its normal form, which is what is stored. A name that leads nowhere now is taken: its owner may be about
 * to set it.
 */
export async function requireTarget(url: string, { resolve = askDns, ...rules }: Targets): Promise<string> {
  const target = readTarget(url);
  if (typeof target === 'string') throw new ApiError('invalid_request', `body.url ${target}.`);
  const refusal = refuseTarget(target, rules);
  if (refusal !== undefined) throw new ApiError('invalid_request', `body.url ${refusal}.`);
  const host = hostOf(target);
  if (ipaddr.isValid(host) || isThisMachine(host)) return target.href;
  const addresses = await resolve(host);
  if (!addresses.every((address) => mayReach(address, rules)))
    throw new ApiError(
      'invalid_request',
      rules.allowPrivate
        ? 'body.url must not lead to a link-local, multicast, unspecified or reserved address: its name does.'
        : 'body.url must lead to public addresses only: its name leads to another one.',
    );
  return target.href;
}

/**
 * The URL that a caller wrote, or why it is none, in words that go on after "url". The WHATWG's parser mends much that
 * nobody means: it is refused before.
 */
export function readTarget(text: string): URL | string {
  if (/[\s\p{Cc}]/u.test(text)) return 'must hold no white space and no control characters';
  if (text.includes('\\')) return 'must hold no backslash';
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (authority === undefined) return 'must be an https address that begins with https://';
  if (authority.includes('@')) return 'must hold no user name and no password';
  if (!URL.canParse(text)) return 'must be an https address with a valid host';
  const target = new URL(text);
  if (authority === '' || !isHost(hostOf(target))) return 'must be an https address with a valid host';
  return target.port === '0' ? 'must name no port 0' : target;
}

function isHost(host: string): boolean {
  if (ipaddr.isValid(host)) return true;
  const name = host.replace(/\.$/, '');
  return name.length <= HOST_MAX && name.split('.').every(({ length }) => length > 0 && length <= LABEL_MAX);
}

/** No name server is asked for it (RFC 6761). */
const isThisMachine = (host: string) => /(^|\.)localhost\.?$/.test(host);

async function askDns(hostname: string): Promise<string[]> {
  const resolver = new promises.Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
