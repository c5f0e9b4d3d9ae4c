// Which bytes of a file a request asks for (RFC 9110): one range, or else the whole. What cannot be read or satisfied
// is passed over, as the RFC allows.
import type { IncomingHttpHeaders } from 'node:http';

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
  isWhole: boolean;
}

export function readRange(headers: IncomingHttpHeaders, { bytes, etag }: { bytes: number; etag: string }): ByteRange {
  const whole = { start: 0, end: bytes, isWhole: true };
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return whole;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return whole;
  // Without a first byte: so many from the end.
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  return start < end ? { start, end, isWhole: false } : whole;
}
