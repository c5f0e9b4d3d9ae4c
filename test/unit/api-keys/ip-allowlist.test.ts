// Goal: an allowlist lets through the addresses that it names and no other, and takes no entry that two programs could
// read differently. Method: examples.
import { describe, expect, test } from 'vitest';
import { isAllowed, parseAddress, parseRange, type Range } from '../../../src/http/ip-ranges.ts';

const allows = (entries: string[], address: string) =>
  isAllowed(
    entries.map((entry) => parseRange(entry) as Range),
    parseAddress(address),
  );

describe('allowed', () => {
  test.each([
    [['203.0.113.7'], '203.0.113.7'],
    [['203.0.113.7'], '::ffff:203.0.113.7'],
    [['203.0.113.7'], '::ffff:cb00:7107'],
    [['::ffff:203.0.113.7'], '203.0.113.7'],
    [['203.0.113.0/24'], '203.0.113.255'],
    [['203.0.113.0/24'], '::ffff:203.0.113.255'],
    [['10.0.0.0/8', '203.0.113.0/24'], '10.255.255.255'],
    [['0.0.0.0/0'], '198.51.100.1'],
    [['2001:db8::/32'], '2001:db8:ffff::1'],
    [['2001:db8::1'], '2001:0DB8:0:0:0:0:0:1'],
    [['::/0'], '2001:db8::1'],
    [[], '198.51.100.1'],
    [[], 'no address'],
  ])('%j lets %s in', (entries, address) => {
    expect(allows(entries, address)).toBe(true);
  });
});

describe('not allowed', () => {
  test.each([
    [['203.0.113.7'], '203.0.113.8'],
    [['203.0.113.0/24'], '203.0.114.0'],
    [['203.0.113.128/25'], '203.0.113.127'],
    [['2001:db8::/32'], '2001:db9::1'],
    [['2001:db8::1'], '2001:db8::2'],
    [['::/0'], '203.0.113.7'],
    [['0.0.0.0/0'], '2001:db8::1'],
    [['::1'], '127.0.0.1'],
    [['203.0.113.0/24'], 'no address'],
    [['203.0.113.0/24'], ''],
    [['203.0.113.0/24'], '203.0.113.7:1234'],
    [['fe80::1'], 'fe80::1%eth0'],
  ])('%j keeps %s out', (entries, address) => {
    expect(allows(entries, address)).toBe(false);
  });
});

test.each([
  '',
  ' ',
  'localhost',
  'example.com',
  '*',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.7 ',
  '1',
  '0x7f.0.0.1',
  '127.1',
  '010.0.0.1',
  '017700000001',
  '203.0.113.7:80',
  '203.0.113.0/33',
  '203.0.113.0/-1',
  '203.0.113.0/',
  '203.0.113.0/024',
  '203.0.113.0/24/24',
  '203.0.113.0/255.255.255.0',
  '203.0.113.7/24',
  '2001:db8::1/32',
  '2001:db8::/129',
  ':::',
  '1::2::3',
  'fe80::1%eth0',
  'fe80::%eth0/10',
  '::ffff:203.0.113.0/120',
  '[2001:db8::1]',
  '203.0.113.0-203.0.113.9',
  '/24',
])('%j is no entry', (entry) => {
  expect(parseRange(entry)).toBeUndefined();
});
