// Verifies that a webhook came from the service, by the Standard Webhooks specification: `v1` by the secret of the
// webhook, `v1a` by the public key of the service. Remembers nothing: a delivery that comes twice verifies twice.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64 } from './base64.ts';
import type { WorkspaceEvent } from './countersign-client.ts';
import { WebhookRefusedError } from './errors.ts';

const TOLERANCE_SECONDS = 300;

/** One of them is enough. With both, either signature proves the webhook. */
export interface WebhookKeys {
  /** `whsec_…`, as the service showed it once; several while one is being replaced. */
  secret?: string | readonly string[];
  /** As `GET …/webhook-verification-key` shows it, with or without `whpk_`. */
  publicKey?: string;
}

export interface WebhookRequest {
  /** As it came: parsed and printed again, it would be another one. */
  body: string | Uint8Array;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface WebhookClock {
  /** How far the time of a delivery may be from this clock; 300 when absent. */
  toleranceSeconds?: number;
  nowMs?: number;
}

/** Resolves with the event; throws WebhookRefusedError when it is not from the service, or not from now. */
export async function verifyWebhook(
  request: WebhookRequest,
  keys: WebhookKeys,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: WebhookClock = {},
): Promise<WorkspaceEvent> {
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const signatures = headerOf(request, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefusedError('webhook-timestamp is not a time in seconds.');
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefusedError(`It was signed more than ${toleranceSeconds} s from now: it may be a repeat.`);
  const body = typeof request.body === 'string' ? utf8ToBytes(request.body) : request.body;
  const content = Uint8Array.from(concatBytes(utf8ToBytes(`${id}.${timestamp}.`), body));
  if (!(await isSigned(content, signatures, keys)))
    throw new WebhookRefusedError('None of its signatures is by these keys.');
  return JSON.parse(new TextDecoder().decode(body)) as WorkspaceEvent;
}

async function isSigned(content: Uint8Array<ArrayBuffer>, signatures: readonly string[], keys: WebhookKeys) {
  const secrets = [keys.secret ?? []].flat().map(readSecret);
  const publicKey = keys.publicKey === undefined ? undefined : await readPublicKey(keys.publicKey);
  if (secrets.length === 0 && publicKey === undefined)
    throw new TypeError('Verifying a webhook takes its secret, or the public key of the service.');
  for (const signature of signatures) {
    const comma = signature.indexOf(',');
    const bytes = fromBase64(signature.slice(comma + 1));
    if (bytes === undefined) continue;
    const version = signature.slice(0, comma);
    if (version === 'v1' && secrets.some((secret) => isEqual(hmac(sha256, secret, content), bytes))) return true;
    if (version === 'v1a' && publicKey !== undefined && bytes.length === 64)
      if (await crypto.subtle.verify('Ed25519', publicKey, bytes, content)) return true;
  }
  return false;
}

function readSecret(secret: string): Uint8Array {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0) throw new TypeError('The secret of a webhook is whsec_ and base64.');
  return bytes;
}

async function readPublicKey(publicKey: string) {
  const bytes = fromBase64(publicKey.replace(/^whpk_/, ''));
  if (bytes?.length !== 32) throw new TypeError('The public key of webhooks is 32 bytes in base64.');
  return crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
}

function headerOf({ headers }: WebhookRequest, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fieldOf(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookRefusedError(`The header ${name} is missing.`);
  return value;
}

/** Names of headers are in any case. */
function fieldOf(headers: Exclude<WebhookRequest['headers'], Headers>, name: string) {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

/** In a time that does not depend on where they differ. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
