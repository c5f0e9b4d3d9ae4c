// Goal: the audit log keeps of a URL its scheme, host, path and the names of its query, and no secret, however oddly it
// is written; all else stays as it is. Method: pure functions on examples.
import { describe, expect, test } from 'vitest';
import { redactedJson } from '../../../domain/audit/audit-redaction.ts';

const redacted = (text: string) => JSON.parse(redactedJson({ in: [text] })).in[0] as string;

describe('a URL', () => {
  test.each([
    ['https://u:PASSW0RDX@example.com', 'https://…@example.com/'],
    ['https://PASSW0RDX@example.com/a/b', 'https://…@example.com/a/b'],
    ['https://example.com/hook?token=PASSW0RDX&b=PASSW0RDX', 'https://example.com/hook?token=…&b=…'],
    ['https://example.com/hook?PASSW0RDX', 'https://example.com/hook?…'],
    ['https://example.com/hook?a=1#PASSW0RDX', 'https://example.com/hook?a=…#…'],
    ['https:u:PASSW0RDX@example.com', 'https://…@example.com/'],
    [String.raw`https:\\u:PASSW0RDX@example.com\x`, 'https://…@example.com/x'],
    [' https://u:PASSW0RDX X@example.com ', 'https://…@example.com/'],
    ['\u0001https://u:PASSW\n0RDX@example.com', 'https://…@example.com/'],
    ['HTTPS://u:PASSW0RDX@', 'HTTPS://…@'],
    ['https://u:PASSW0RDX/PASSW0RDX@example.com?t=PASSW0RDX', 'https://…@example.com?t=…'],
    ['see https://u:PASSW0RDX@example.com/x?y=PASSW0RDX, please', 'see https://…@example.com/x?y=… please'],
    ['postgres://u:PASSW0RDX@db.example.com/x', 'postgres://…@db.example.com/x'],
  ])('%j', (text, kept) => {
    expect(redacted(text)).toBe(kept);
    expect(redacted(redacted(text))).not.toContain('PASSW0RDX');
  });
});

test.each([
  'https://example.com/hook',
  'https:example.com',
  'someone@example.com',
  'a?b=c',
  'm/44/60/0/0/0',
  'https://',
  '',
])('without a secret it stays as it was written: %j', (text) => expect(redacted(text)).toBe(text));

test('secrets of ours, wherever they stand; names and other values stay', () => {
  const secret = `cs_${'a'.repeat(43)}`;
  const value = { name: `x ${secret}`, count: 3, nothing: null, deep: { [secret]: [true] } };
  expect(JSON.parse(redactedJson(value))).toEqual({
    name: 'x cs_…',
    count: 3,
    nothing: null,
    deep: { 'cs_…': [true] },
  });
});
