// Finds out where a name leads, and refuses what may not be reached: what is not public, and link-local addresses even
// where private ones are allowed. The connection is made to these very addresses, so that a name that leads elsewhere a
// moment later (rebinding) changes nothing. Never through the system's resolver where targets are public: its few
// threads are shared with the whole process, and a name whose servers are slow on purpose would hold them.
import { promises } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { mayReach, type TargetRules } from '../../domain/webhook-target.ts';

/** Every address of a host, of both families. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const QUESTION_TIMEOUT_MS = 2_000;
const QUESTION_TRIES = 2;

export class TargetRefused extends Error {
  override name = 'TargetRefused';
}

export function guardedLookup(
  rules: TargetRules,
  resolve: Resolve = rules.allowPrivate ? bySystem : byDns,
): LookupFunction {
  const resolveAll = callbackify((hostname: string) => resolveChecked(hostname, rules, resolve));
  return (hostname, options, callback) =>
    resolveAll(hostname, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
}

interface Checked {
  address: string;
  family: 4 | 6;
}

/** One address that may not be reached refuses them all: which one a connection would take is not ours to say. */
async function resolveChecked(
  hostname: string,
  rules: TargetRules,
  resolve: Resolve,
): Promise<[Checked, ...Checked[]]> {
  const found = await resolve(hostname);
  if (!found.every((address) => mayReach(address, rules)))
    throw new TargetRefused(
      rules.allowPrivate
        ? 'its name leads to a link-local, multicast, unspecified or reserved address'
        : 'its name leads to an address that is not public',
    );
  const addresses = found.map((address): Checked => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first, ...others] = addresses;
  if (first === undefined) throw new TargetRefused('its name leads to no address');
  return [first, ...others];
}

const bySystem: Resolve = async (hostname) =>
  (await promises.lookup(hostname, { all: true })).map(({ address }) => address);

const byDns: Resolve = async (hostname) => {
  const resolver = new promises.Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: QUESTION_TRIES });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
};
