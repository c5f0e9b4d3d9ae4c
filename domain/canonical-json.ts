// Canonical JSON (RFC 8785) and its digest: one text for one value, whoever writes it. Pure, and imports nothing of
// ours: the offline verifier of the audit log is made of it too.
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** SHA-256 of the canonical text: 64 hex digits. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/**
 * RFC 8785: names in the order of their UTF-16 code units, no space, numbers and texts as ECMAScript writes them.
 * Throws at what is no JSON, a number that is not finite or a lone surrogate, which has no UTF-8.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = value as { readonly [name: string]: Json };
    const names = Object.keys(members).sort();
    return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(members[name] as Json)}`).join(',')}}`;
  }
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    // It escapes a lone surrogate, and nothing else so.
    if (!text.includes('\\ud') || !/\p{Surrogate}/u.test(value)) return text;
  }
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  throw new Error('a value that is no JSON has no canonical form');
}
