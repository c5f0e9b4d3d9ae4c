// What the sandbox has besides: a faucet that pays with real transactions of its own chains, and blocks on request. A
// worker in production does not have these activities.
import { sleep } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import { asChainFailure, requireChain } from '../chains/chain-failure.ts';
import type { Chains, RpcUrls } from '../chains/connect-chains.ts';
import type { Chain } from '../chains/port/chain.ts';
import { miners } from './mining.ts';
import { type SignedPayment, Treasury } from './treasury.ts';

export interface FaucetPayment {
  /** Tells two payments apart that are otherwise the same. */
  key: string;
  networkCode: string;
  address: string;
  /** Null for the native currency. */
  contract: string | null;
  decimals: number;
  /** Base units. */
  amount: string;
}

export interface SandboxDependencies {
  chains: Chains;
  rpcUrls: RpcUrls;
}

const POLL_EVERY_MS = 250;
/** Then the activity is tried again, which broadcasts the same bytes again. */
const POLLS_MAX = 80;

export type SandboxActivities = ReturnType<typeof createSandboxActivities>;

export function createSandboxActivities({ chains, rpcUrls }: SandboxDependencies) {
  const treasuries = new Map<string, Treasury>();
  const treasuryOf = (networkCode: string): Treasury => {
    if (!isSandboxCode(networkCode)) throw ApplicationFailure.nonRetryable('this is no sandbox chain', 'invalid_state');
    const treasury = treasuries.get(networkCode) ?? new Treasury(networkCode, requireChain(chains, networkCode));
    treasuries.set(networkCode, treasury);
    return treasury;
  };

  return {
    /** Safe to repeat: it signs and sends nothing. Not retried: what can never be paid. */
    async signFaucetPayment(payment: FaucetPayment): Promise<SignedPayment> {
      const { key, networkCode, address, contract, decimals, amount } = payment;
      try {
        return await treasuryOf(networkCode).sign(key, address, { contract, decimals }, BigInt(amount));
      } catch (error) {
        throw asChainFailure(error);
      }
    },

    /**
     * Idempotent by the bytes, which pay once however often they are sent. `refused`: they will not pay, another
     * transaction has their nonce or coin, or they have expired. Not retried: a payment that failed in its block.
     */
    async sendFaucetPayment(key: string, networkCode: string, payment: SignedPayment): Promise<'paid' | 'refused'> {
      try {
        const outcome = await send(requireChain(chains, networkCode), payment);
        if (outcome === 'refused') treasuryOf(networkCode).giveBack(key);
        return outcome;
      } catch (error) {
        throw asChainFailure(error);
      }
    },

    /** Safe to repeat: it reads. */
    async readSandboxHeight(networkCode: string): Promise<number> {
      return (await requireChain(chains, networkCode).head().catch(rethrown)).number;
    },

    /**
     * Idempotent by the height: mines what is missing to it, and nothing on a chain that is being restored below
     * `from`. Not retried: a chain that nobody can mine.
     */
    async mineToHeight(networkCode: string, from: number, height: number): Promise<void> {
      const [mine, rpcUrl] = [miners[networkCode], rpcUrls[networkCode]];
      if (mine === undefined || rpcUrl === undefined)
        throw ApplicationFailure.nonRetryable(`no node of ${networkCode} mines on request`, 'dependency_unavailable');
      const head = await requireChain(chains, networkCode).head().catch(rethrown);
      if (head.number < from)
        throw ApplicationFailure.retryable('the node has fewer blocks than before', 'dependency_unavailable');
      if (head.number < height) await mine(rpcUrl, height - head.number).catch(rethrown);
    },
  };
}

async function send(chain: Chain, { raw, txHash, validUntil }: SignedPayment): Promise<'paid' | 'refused'> {
  if ((await chain.broadcast(raw, validUntil)).outcome === 'rejected') return 'refused';
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const status = await chain.follow(txHash);
    if (status.state === 'included') {
      if (status.succeeded) return 'paid';
      throw ApplicationFailure.nonRetryable('the payment failed in its block', 'reverted');
    }
    await sleep(POLL_EVERY_MS);
  }
  throw ApplicationFailure.retryable('the payment is in no block yet', 'dependency_unavailable');
}

function rethrown(error: unknown): never {
  throw asChainFailure(error);
}
