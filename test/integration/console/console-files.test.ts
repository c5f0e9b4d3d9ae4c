// Goal: the console is served whole, small, cached as it may be, and under a policy that lets nothing in from elsewhere
// and nothing inline. Method: the API in this process, over the built console; no browser.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';

const FIRST_LOAD_MAX_BYTES = 300 * 1024;
const dist = resolve(import.meta.dirname, '../../../dist/console');

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const get = (url: string, headers: Record<string, string> = {}) => api.app.inject({ method: 'GET', url, headers });
const assets = readdirSync(join(dist, 'assets'));

test('every address of the console gets its page, which is asked for again each time', async () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  for (const url of ['/console', '/console/', '/console/index.html', '/console/withdrawals/some-id?status=pending']) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body], url).toEqual([200, page]);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
  }
  expect((await api.app.inject({ method: 'HEAD', url: '/console' })).statusCode).toBe(200);
});

test('its files are kept by browsers for ever, under names that say what is in them', async () => {
  expect(assets.length).toBeGreaterThan(1);
  for (const name of assets) {
    expect(name).toMatch(/-[\w-]{8}\.(js|css)$/);
    const answer = await get(`/console/assets/${name}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const compressed = await get(`/console/assets/${name}`, { 'accept-encoding': 'gzip, br' });
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(compressed.rawPayload).equals(readFileSync(join(dist, 'assets', name)))).toBe(true);
  }
});

test.each(['/console/assets/gone-12345678.js', '/console/assets/..%2f..%2fserver.js', '/console/assets/'])(
  'a file that is not there is a 404 and not the page: %s',
  async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
  },
);

test('no path leads out of the folder', async () => {
  for (const url of ['/console/../server.js', '/console/..%2fserver.js', '/console/%2e%2e/%2e%2e/package.json']) {
    const { body } = await get(url);
    expect(body).not.toContain('buildApp');
    expect(body).not.toContain('"countersign"');
  }
});

test('the policy allows nothing inline and nothing from elsewhere', async () => {
  for (const url of ['/console', `/console/assets/${assets[0]}`]) {
    const { headers } = await get(url);
    const policy = String(headers['content-security-policy']);
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|http:|https:|\*/);
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
  }
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=|https?:\/\/(?!www\.w3\.org)/);
});

test('what a browser loads at first is small', () => {
  const files = ['index.html', ...assets.map((name) => join('assets', name))];
  const bytes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length);
  const sum = bytes.reduce((total, each) => total + each, 0);
  expect(sum).toBeLessThan(FIRST_LOAD_MAX_BYTES);
});

test('the licences of what it is made of come with it', () => {
  const licences = readFileSync(join(dist, 'licences.md'), 'utf8');
  for (const name of ['react', '@base-ui/react', '@tanstack/react-query', 'wouter']) expect(licences).toContain(name);
});
