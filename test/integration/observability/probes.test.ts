// Goal: what a balancer is told is no error that wakes somebody. Method: probes and a call of a caller, at an API whose
// Temporal is away.
import { expect, test } from 'vitest';
import { startApi } from '../../support/api/api.ts';
import { samplesOf, sumOf } from '../../support/api/metrics.ts';

test('what a balancer is told is counted apart from what callers are', async () => {
  const own = await startApi({ temporalAddress: '127.0.0.1:1' });
  try {
    for (const path of ['/ready?deep', '/health', '/metrics']) await own.app.inject(path);
    await own.call('GET', '/api/v1/assets');
    const samples = samplesOf((await own.app.inject('/metrics')).body);
    const responses = 'countersign_http_responses_total';
    expect(sumOf(samples, responses, { status: '5xx', probe: 'yes' })).toBe(1);
    expect(sumOf(samples, responses, { status: '2xx', probe: 'yes' })).toBe(2);
    expect(sumOf(samples, responses, { status: '2xx', probe: 'no' })).toBe(1);
    expect(sumOf(samples, responses, { status: '5xx', probe: 'no' })).toBe(0);
    expect(sumOf(samples, 'countersign_temporal_up')).toBe(0);
  } finally {
    await own.stop();
  }
});
