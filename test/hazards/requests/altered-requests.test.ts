// Goal: the signature of a request covers every byte of it (A2 of the list of controls). Method: correctly signed
// requests against the API on a real database, each altered in one way; what only a socket can send goes over a socket.
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { countWallets, read, type Sent, send, WALLETS, withHeader, write } from '../../support/api/signed-requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const withSign = (sent: Sent, alter: (hex: string) => string) =>
  withHeader(sent, 'access-sign', alter(sent.headers['access-sign'] ?? ''));
const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');

describe('A2: the signature covers the bytes received', () => {
  test('A2: the requests that are altered below are accepted as they are', async () => {
    expect([await send(api, write(api)), await send(api, read(api))]).toEqual([202, 200]);
    const upper = withSign(write(api), (hex) => hex.toUpperCase());
    expect([
      await send(api, upper),
      await send(
        api,
        withSign(write(api), (hex) => base64(hex)),
      ),
    ]).toEqual([202, 202]);
  });

  test('A2: each of the 256 bits of the signature, of a read and of a write', async () => {
    const before = await countWallets(api);
    for (const sent of [read(api), write(api)])
      for (let bit = 0; bit < 256; bit += 1) {
        const altered = withSign(sent, (hex) => {
          const bytes = Buffer.from(hex, 'hex');
          bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
          return bytes.toString('hex');
        });
        expect([bit, await send(api, altered)]).toEqual([bit, 401]);
      }
    expect(await countWallets(api)).toBe(before);
  });

  test('A2: each byte of the body altered, taken away or doubled', async () => {
    const before = await countWallets(api);
    const sent = write(api);
    for (let at = 0; at < sent.payload.length; at += 1) {
      const [head, byte, tail] = [sent.payload.slice(0, at), sent.payload.charCodeAt(at), sent.payload.slice(at + 1)];
      for (const middle of [String.fromCharCode(byte ^ 1), '', String.fromCharCode(byte, byte)])
        expect([at, middle, await send(api, { ...sent, payload: head + middle + tail })]).toEqual([at, middle, 401]);
    }
    for (const payload of [
      '',
      `${sent.payload} `,
      `\n${sent.payload}`,
      `\ufeff${sent.payload}`,
      sent.payload.replace(',', ', '),
    ])
      expect(await send(api, { ...sent, payload })).toBe(401);
    expect(await countWallets(api)).toBe(before);
  });

  test('A2: every character of the path and its query', async () => {
    const sent = read(api);
    for (let at = 1; at < sent.url.length; at += 1) {
      const escaped = `%${sent.url.charCodeAt(at).toString(16)}`;
      for (const middle of [escaped, '', 'x']) {
        if (middle === sent.url[at]) continue;
        const status = await send(api, { ...sent, url: sent.url.slice(0, at) + middle + sent.url.slice(at + 1) });
        expect(status, `${at} ${middle}`).toBeGreaterThanOrEqual(400);
      }
    }
    const [path, query] = sent.url.split('?') as [string, string];
    const order = query.split('&').toReversed().join('&');
    for (const url of [
      path,
      `${path}?${order}`,
      `${sent.url}&`,
      `${path}?&${query}`,
      `${sent.url}&limit=2`,
      `${path}?${query.replaceAll('&', '&&')}`,
    ])
      expect([url, await send(api, { ...sent, url })]).toEqual([url, 401]);
  });

  test('A2: an empty query, a fragment and a full address, which only a socket sends as they are', async () => {
    const sent = write(api);
    for (const url of [
      `${WALLETS}?`,
      `${WALLETS}#`,
      `${WALLETS}#a`,
      `http://a${WALLETS}`,
      `//a${WALLETS}`,
      `${WALLETS}/`,
      `/.${WALLETS}`,
    ])
      expect([url, await overSocket({ ...sent, url }, [])]).toEqual([
        url,
        expect.stringMatching(/^HTTP\/1\.1 40[0145] /),
      ]);
  });

  test('A2: another method, time, key, or spelling of them', async () => {
    const other = await api.makeKey({ scopes: ['wallets:read', 'wallets:write'] });
    const before = await countWallets(api);
    for (const sent of [read(api), write(api)]) {
      const timestamp = sent.headers['access-timestamp'] ?? '';
      const altered: Sent[] = [
        ...['HEAD', 'GET', 'POST', 'PATCH', 'DELETE', 'PUT']
          .filter((method) => method !== sent.method)
          .map((method) => ({ ...sent, method })),
        ...[-1, 1, 60, -60].map((seconds) => withHeader(sent, 'access-timestamp', String(Number(timestamp) + seconds))),
        ...[
          `0${timestamp}`,
          `${timestamp}.0`,
          `+${timestamp}`,
          `${timestamp}, ${timestamp}`,
          `${timestamp}000`,
          '',
          '0x10',
          '1e9',
        ].map((value) => withHeader(sent, 'access-timestamp', value)),
        ...[
          other.apiKey,
          api.admin.apiKey.toUpperCase(),
          `${api.admin.apiKey}, ${api.admin.apiKey}`,
          `${api.admin.apiKey}0`,
          '',
          '%',
        ].map((value) => withHeader(sent, 'access-api-key', value)),
        ...[
          (hex: string) => `0x${hex}`,
          (hex: string) => hex.slice(1),
          (hex: string) => `${hex}00`,
          (hex: string) => `${hex}, ${hex}`,
          (hex: string) => hex.slice(0, 62),
          (hex: string) => base64(hex, 'hex'),
          (hex: string) => base64(hex).replace(/==$/, ''),
          (hex: string) => `${base64(hex).slice(0, 86)}  `,
          (hex: string) => base64(base64(hex)),
          (hex: string) => base64(hex).toLowerCase(),
          (hex: string) => `"${hex}"`,
          () => '0'.repeat(64),
          () => base64('0'.repeat(64)),
          () => '',
        ].map((alter) => withSign(sent, alter)),
      ];
      for (const one of altered) expect(await send(api, one), JSON.stringify(one)).toBeGreaterThanOrEqual(400);
    }
    expect(await countWallets(api)).toBe(before);
  });

  test('A2: parts of two signed requests never make a third', async () => {
    const before = await countWallets(api);
    const other = await api.makeKey({ scopes: ['wallets:write', 'wallets:read'] });
    const [one, two] = [write(api), write(api, other)];
    const fields = ['access-api-key', 'access-timestamp', 'access-sign'] as const;
    for (let mix = 1; mix < 15; mix += 1) {
      const headers = { ...one.headers };
      fields.forEach((field, bit) => {
        if (mix & (1 << bit)) headers[field] = two.headers[field] ?? '';
      });
      const payload = mix & 8 ? two.payload : one.payload;
      // Both are signed in the same second, so the timestamp alone makes no difference.
      const changed = { payload: mix & 8, key: mix & 1, sign: mix & 4 };
      const whole =
        [changed.payload, changed.key, changed.sign].every(Boolean) ||
        !(changed.payload || changed.key || changed.sign);
      if (whole) continue;
      expect(await send(api, { ...one, payload, headers })).toBe(401);
    }
    expect(await countWallets(api)).toBe(before);
  });

  test('A2: random alterations', async () => {
    const sent = write(api);
    const before = await countWallets(api);
    const text = fc.string({ unit: 'binary-ascii', maxLength: 60 });
    const part = fc.oneof(
      text.map((payload) => ({ ...sent, payload })),
      text.map((tail) => ({ ...sent, url: `${sent.url}?a${encodeURIComponent(tail)}` })),
      fc.nat().map((seconds) => withHeader(sent, 'access-timestamp', String(seconds))),
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => withSign(sent, () => Buffer.from(bytes).toString('hex'))),
      fc
        .uint8Array({ minLength: 16, maxLength: 16 })
        .map((bytes) => withHeader(sent, 'access-api-key', `ck_${Buffer.from(bytes).toString('hex')}`)),
    );
    await fc.assert(
      fc.asyncProperty(part, async (altered) => {
        fc.pre(JSON.stringify(altered) !== JSON.stringify(sent));
        expect(await send(api, altered)).toBe(401);
      }),
      { numRuns: 200 },
    );
    expect(await countWallets(api)).toBe(before);
  });

  test.each(['ACCESS-API-KEY', 'ACCESS-TIMESTAMP', 'ACCESS-SIGN'])(
    'A2: %s twice, also with equal values: 401',
    async (name) => {
      const value = (sent: Sent) => sent.headers[name.toLowerCase()] ?? '';
      for (const second of [value, () => '', () => 'x']) {
        const sent = write(api);
        expect(await overSocket(sent, [[name, second(sent)]])).toMatch(/^HTTP\/1\.1 401 /);
      }
      expect(await overSocket(write(api), [])).toMatch(/^HTTP\/1\.1 202 /);
    },
  );

  test('A2: X-Idempotency-Key twice, also with equal values: 400', async () => {
    const before = await countWallets(api);
    for (const second of ['one', 'two', ''])
      expect(
        await overSocket(write(api), [
          ['X-Idempotency-Key', 'one'],
          ['X-Idempotency-Key', second],
        ]),
      ).toMatch(/^HTTP\/1\.1 400 /);
    expect(await countWallets(api)).toBe(before);
  });
});

let port: number | undefined;

/** Sends the request with further headers as they are, which `inject` could not. */
async function overSocket(sent: Sent, further: [string, string][]): Promise<string> {
  if (port === undefined) {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    port = (api.app.addresses()[0] as { port: number }).port;
  }
  const lines = [...Object.entries(sent.headers), ...further].map(([name, value]) => `${name}: ${value}`);
  const head = [
    `${sent.method} ${sent.url} HTTP/1.1`,
    'host: a',
    'connection: close',
    ...lines,
    `content-length: ${sent.payload.length}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port as number, '127.0.0.1', () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${sent.payload}`),
    );
    let answer = '';
    socket.on('data', (data) => (answer += data));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
