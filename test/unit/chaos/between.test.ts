// Goal: what stands between the parts of a run passes everything on as it is, and brings the trouble that it is told to
// bring and no other. Method: a gate before a server of the test's own, and the answers of a node that lies.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Gate, openGate } from '../../chaos/topology/gate.ts';
import { answerOf } from '../../chaos/topology/lying-node.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };

describe('a gate', () => {
  let echo: Server;
  let gate: Gate;
  let socket: Socket;
  let received = '';
  let closed = false;

  beforeAll(async () => {
    echo = createServer((caller) => caller.on('error', () => {}).pipe(caller)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
  });
  afterAll(() => void echo.close());
  const open = async () => {
    const opened = connect(gate.port, '127.0.0.1').on('error', () => {});
    socket = opened;
    [received, closed] = ['', false];
    opened.on('data', (bytes) => (received += bytes.toString()));
    // The one before may still have to say that it is closed.
    opened.on('close', () => (closed ||= opened === socket));
    await once(opened, 'connect');
  };
  beforeEach(async () => {
    gate = await openGate((echo.address() as AddressInfo).port);
    await open();
  });
  afterEach(() => {
    socket.destroy();
    gate.stop();
  });

  test('passes on what comes, in its order', async () => {
    for (const word of ['one ', 'two ', 'three']) socket.write(word);
    await vi.waitFor(() => expect(received).toBe('one two three'), PATIENCE);
  });

  test('that is cut ends every connection and lets none be made, until it is open again', async () => {
    gate.set('cut');
    await vi.waitFor(() => expect(closed).toBe(true), PATIENCE);
    await open().catch(() => {}); // ended before or after it is there
    await vi.waitFor(() => expect(closed).toBe(true), PATIENCE);
    gate.set('open');
    await open();
    socket.write('again');
    await vi.waitFor(() => expect(received).toBe('again'), PATIENCE);
  });

  test('that is silent keeps what comes, and passes it on once it is open', async () => {
    gate.set('silent');
    socket.write('kept');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([received, closed]).toEqual(['', false]);
    gate.set('open');
    await vi.waitFor(() => expect(received).toBe('kept'), PATIENCE);
  });

  test('that is slow passes everything on, late', async () => {
    gate.set({ delayMs: 100 });
    const startedMs = performance.now();
    socket.write('late');
    await vi.waitFor(() => expect(received).toBe('late'), PATIENCE);
    expect(performance.now() - startedMs).toBeGreaterThan(190); // there and back
  });
});

describe('a node that lies', () => {
  const truth = { jsonrpc: '2.0', id: 1, result: '0x10' };

  test('says the truth where it has no lie', () => {
    const question = { id: 1, method: 'eth_getBalance' };
    for (const lie of [undefined, 'forgets', 'stays behind'] as const)
      expect(answerOf(lie, question, truth)).toBe(truth);
  });

  test('forgets transactions, stays behind, and refuses', () => {
    expect(answerOf('forgets', { id: 1, method: 'eth_getTransactionReceipt' }, truth)).toMatchObject({ result: null });
    expect(answerOf('stays behind', { id: 1, method: 'eth_blockNumber' }, truth)).toMatchObject({ result: '0xa' });
    expect(answerOf('refuses', { id: 1, method: 'eth_blockNumber' }, truth)).toMatchObject({
      error: { code: -32_000 },
    });
  });
});
