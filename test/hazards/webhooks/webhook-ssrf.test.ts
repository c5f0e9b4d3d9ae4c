// Goal: a webhook reaches no address but a public one, whatever the address is called (server-side request forgery,
// control H3). Method: the sender of the product with a resolver of the test's, and receivers on this machine; the API
// where a target is refused at once. Receivers with TLS are in webhook-tls.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Sender } from '../../../activities/webhooks/post-event.ts';
import { isPublicAddress, mayReach } from '../../../domain/webhook-target.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type Receiver, startReceiver } from '../../support/api/webhooks.ts';

let api: TestApi;
const receivers: Receiver[] = [];

beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
});
afterEach(() => Promise.all(receivers.splice(0).map((each) => each.stop())));
afterAll(() => api.stop());

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer);
  receivers.push(started);
  return started;
}

describe('H3: no address but a public one, however it is named', () => {
  const forbidden = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.0.3',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a00:1',
    '100::1',
    '100:0:0:1::1',
    '2001::7f00:1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'not an address',
    '',
  ];
  const allowed = [
    '8.8.8.8',
    '1.1.1.1',
    '100.128.0.1',
    '172.32.0.1',
    '193.0.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:80e::200e',
  ];
  const rules = { allowPrivate: false, httpsOnly: false };
  const never = new AbortController().signal;
  const message = { headers: {}, body: '{}' };
  const post = (url: string, resolve: () => Promise<string[]>) => {
    const sender = new Sender(rules, { timeoutMs: 1_000, atOnceMax: 1, resolve });
    return sender.post({ ...message, url }, never).finally(() => sender.close());
  };

  test.each(forbidden)('%s is refused', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(allowed)('%s is not', (address) => expect(isPublicAddress(address)).toBe(true));

  const isIp = (address: string) => /^[\d.]+$/.test(address) || address.includes(':');
  test.each(forbidden.filter(isIp))('a name that leads to %s is not connected to', async (address) => {
    await expect(post('http://receiver.example/hook', async () => [address])).rejects.toThrow('not public');
    await expect(post('http://receiver.example/hook', async () => ['8.8.8.8', address])).rejects.toThrow('not public');
  });

  const disguised = [
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://0x7f.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://127.0.0.1.',
    'http://①②⑦.0.0.1',
    'http://localhost',
    'http://LOCALHOST',
    'http://localhost.',
    'http://a.localhost',
    'http://metadata.google.internal',
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00:ec2::254]',
    'http://printer.local',
    'http://router.home.arpa',
    'ftp://8.8.8.8',
    'file:///etc/passwd',
    'http://user:password@8.8.8.8',
    'gopher://8.8.8.8',
    'nonsense',
    '',
  ];
  test.each(disguised)('%s is refused before anything is asked', async (url) => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return ['8.8.8.8'];
    };
    await expect(post(url, resolve)).rejects.toThrow(/^its url must/);
    expect(asked).toBe(0);
  });

  test('a name that leads elsewhere between the check and the connection (rebinding): asked once, and what was checked is taken', async () => {
    const there = await receiver();
    const { port } = new URL(there.url);
    let asked = 0;
    // Whoever asks again is led to where nobody listens.
    const rebinding = async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.99'];
    const open = { allowPrivate: true, httpsOnly: false };
    const sender = new Sender(open, { timeoutMs: 1_000, atOnceMax: 1, resolve: rebinding });
    await expect(sender.post({ ...message, url: `http://rebinding.example:${port}/` }, never)).resolves.toMatchObject({
      statusCode: 200,
    });
    sender.close();
    expect(asked).toBe(1);
  });

  test('each connection asks anew: a name that was public yesterday is refused today', async () => {
    const there = await receiver();
    const { port } = new URL(there.url);
    const url = `http://rebinding.example:${port}/`;
    await expect(post(url, async () => ['127.0.0.1'])).rejects.toThrow('not public');
    expect(there.received).toEqual([]);
  });

  test('the connection goes to the address that was answered, whatever the name', async () => {
    const there = await receiver();
    const { port } = new URL(there.url);
    const open = { allowPrivate: true, httpsOnly: false };
    const sender = new Sender(open, { timeoutMs: 1_000, atOnceMax: 1, resolve: async () => ['127.0.0.1'] });
    await expect(sender.post({ ...message, url: `http://nowhere.example:${port}/` }, never)).resolves.toMatchObject({
      statusCode: 200,
    });
    sender.close();
    expect(there.received[0]?.headers['host']).toBe(`nowhere.example:${port}`);
  });

  describe('where a deployment allows private targets', () => {
    const open = { allowPrivate: true, httpsOnly: false };
    const forbiddenToo = [
      '169.254.169.254',
      '169.254.0.1',
      '169.254.170.2',
      '0.0.0.0',
      '0.1.2.3',
      '224.0.0.1',
      '239.255.255.255',
      '255.255.255.255',
      '240.0.0.1',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      'fd20:ce::254',
      '::',
      'fe80::1',
      'fe80::a9fe:a9fe',
      'ff02::1',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '::ffff:0.0.0.0',
      '::ffff:224.0.0.1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::7f00:1',
      '2002:a9fe:a9fe::1',
      '::ffff:0:169.254.169.254',
    ];
    const taken = [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '::1',
      'fd12:3456::1',
      '8.8.8.8',
    ];

    test.each(taken)('%s may be reached', (address) => expect(mayReach(address, open)).toBe(true));
    test.each([...forbiddenToo, 'fe80::1%eth0', '::1%lo'])('%s may not', (address) =>
      expect(mayReach(address, open)).toBe(false),
    );

    test.each(forbiddenToo)(
      'nothing is sent to %s, named by its number or by a name that leads there',
      async (address) => {
        const resolve = async () => ['127.0.0.1', address];
        const sender = new Sender(open, { timeoutMs: 1_000, atOnceMax: 1, resolve });
        const host = address.includes(':') ? `[${address}]` : address;
        await expect(sender.post({ ...message, url: `http://${host}/` }, never)).rejects.toThrow(
          /^its url must not lead/,
        );
        await expect(sender.post({ ...message, url: 'http://receiver.example/' }, never)).rejects.toThrow(
          'its name leads to a link-local, multicast, unspecified or reserved address',
        );
        sender.close();
      },
    );

    test.each([
      'http://169.254.169.254/',
      'http://169.254.169.254./',
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://0251.0376.0251.0376/',
      'http://[::ffff:169.254.169.254]/',
      'http://[fe80::1]/',
      'http://0/',
      'http://[::]/',
      'http://224.0.0.1/',
      'http://[ff02::1]/',
      'http://metadata.example/',
    ])('400: a webhook to %s', async (target) => {
      const resolve = async () => ['169.254.169.254'];
      const another = await api.startAnother({ webhooks: { allowPrivate: true, resolve } });
      const body = { url: target, events: [] };
      const answer = await api.call('POST', `/api/v1/workspaces/${api.workspaceId}/webhooks`, body, {
        at: another.app,
      });
      await another.stop();
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.message).toMatch(/^body\.url must not lead to a link-local/);
    });
  });

  test('production speaks no http', async () => {
    const sender = new Sender({ allowPrivate: false, httpsOnly: true }, { timeoutMs: 1_000, atOnceMax: 1 });
    await expect(sender.post({ ...message, url: 'http://8.8.8.8' }, never)).rejects.toThrow('https://');
    sender.close();
  });
});
