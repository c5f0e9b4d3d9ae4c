// What a recorded history may show: no machine and no path. Identities are made neutral, stack traces go; a replay
// needs neither.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export function scrub(value: Json): Json {
  if (Array.isArray(value)) return value.map(scrub);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'stackTrace');
  return Object.fromEntries(kept.map(([name, part]) => [name, name === 'identity' ? 'worker' : scrub(part)]));
}

/** Every text in a history, its name and what its payloads hold when decoded. */
export function textsOf(value: Json, name = ''): { name: string; text: string }[] {
  if (Array.isArray(value)) return value.flatMap((part) => textsOf(part, name));
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([inner, part]) => textsOf(part, inner));
  if (typeof value !== 'string') return [];
  const texts = [{ name, text: value }];
  return name === 'data' ? [...texts, { name, text: Buffer.from(value, 'base64').toString('utf8') }] : texts;
}
