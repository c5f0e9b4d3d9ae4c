// Goal: nothing that the API calls harmless would be refused by the nodes as unknown, and of what is harmless both see
// the same chain, movements and fee, and refuse the same fees. Method: 20,000 payloads by a seed (100,000 in the full
// suite), read by the API's policy and by the policy of a node as it is built (mpc/examples/policy_view.rs).
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { feeCapOf } from '../../domain/withdrawals/fee-caps.ts';
import { generatedPayload, Random } from '../support/policies/generated-payloads.ts';
import { policyView } from '../support/policies/policy-view.ts';
import { type Seen, seenByApi, wireOf } from '../support/policies/seen-payload.ts';
import { byDepth } from '../support/suite.ts';

const PAYLOADS = byDepth({ essential: 20_000, full: 100_000 });
const PAYLOADS_A_BATCH = 10_000;
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const BUILD_MS = 600_000;
const RUN_MS = 480_000;
const SEED = Number(process.env['POLICY_SEED'] ?? 13);

let program: string;
beforeAll(() => {
  program = policyView();
}, BUILD_MS);

/** The API refuses it by the same cap when it is asked for (aboveFeeCap). */
function isTooDear({ chain, fee }: Seen): boolean {
  const [family, chainId] = chain?.split(':') ?? [];
  const other = { internalCode: '', addressType: 'evm', nativeCurrency: 'OTHER' } as const;
  const evm = networkSeed.find((network) => network.chainId === Number(chainId)) ?? other;
  const solana = { internalCode: '', addressType: 'sol', nativeCurrency: 'SOL' } as const;
  return BigInt(fee ?? 0) > feeCapOf(family === 'solana' ? solana : evm).feeBaseUnits;
}

interface View {
  seen: Seen;
  refused: string | null;
}

test(
  `${PAYLOADS} payloads: none is harmless to the API and refused by the nodes (seed ${SEED})`,
  () => {
    const random = new Random(SEED);
    const kinds = new Map<string, { harmless: number; all: number }>();
    for (let done = 0; done < PAYLOADS; done += PAYLOADS_A_BATCH) {
      const payloads = Array.from({ length: PAYLOADS_A_BATCH }, () => generatedPayload(random));
      const input = payloads.map(wireOf).join('\n');
      const output = execFileSync(program, { input, maxBuffer: OUTPUT_BYTES_MAX, encoding: 'utf8' });
      const views = output.trimEnd().split('\n');
      expect(views).toHaveLength(payloads.length);
      for (const [index, payload] of payloads.entries()) {
        const api = seenByApi(payload);
        const counted = kinds.get(payload.kind) ?? { harmless: 0, all: 0 };
        kinds.set(payload.kind, { harmless: counted.harmless + (api.unknown ? 0 : 1), all: counted.all + 1 });
        if (api.unknown) continue;
        const { seen, refused } = JSON.parse(views[index] ?? '') as View;
        // Compared by hand: so many calls of expect take longer than all the reading.
        const expected = isTooDear(api) ? 'The policy of this node refuses so high a fee.' : null;
        if (refused === expected && JSON.stringify(seen) === JSON.stringify(api)) continue;
        expect({ payload, refused, seen }).toEqual({ payload, refused: expected, seen: api });
      }
    }
    // Both kinds came often, or nothing was tried.
    for (const kind of ['evm_transaction', 'solana_transaction', 'evm_typed_data']) {
      const { harmless = 0, all = 0 } = kinds.get(kind) ?? {};
      expect(harmless).toBeGreaterThan(PAYLOADS / 250);
      expect(all - harmless).toBeGreaterThan(PAYLOADS / 20);
    }
    console.log(Object.fromEntries(kinds));
  },
  RUN_MS,
);
