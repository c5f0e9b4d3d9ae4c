// Mines blocks on a chain of the sandbox.
//
// 1. readSandboxHeight   from where: in the history, so that a repeat mines no more
// 2. mineToHeight        mines what is missing to the height that was asked for
import { proxyActivities } from '@temporalio/workflow';
import type { SandboxActivities } from '../activities/sandbox/faucet.ts';
import type { MineBlocksInput } from '../domain/workflow-inputs.ts';
import { sandboxOptions } from './activity-options.ts';
import { describeFailure } from './failure.ts';
import { report } from './report.ts';

const { readSandboxHeight, mineToHeight } = proxyActivities<SandboxActivities>(sandboxOptions);

export async function mineBlocks({ networkCode, blocks }: MineBlocksInput): Promise<void> {
  try {
    const from = await readSandboxHeight(networkCode);
    await mineToHeight(networkCode, from, from + blocks);
    report('success', `${networkCode} has block ${from + blocks}.`);
  } catch (error) {
    const { code, reason } = describeFailure(error);
    report('failed', `Not mined: ${reason} (${code}).`);
  }
}
