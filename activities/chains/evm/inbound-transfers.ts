// What a block of an EVM chain moved to addresses of ours, and from them: first whom it may concern, then which of them
// are ours, asked once, then what those got and lost. Knows neither how native currency nor how tokens move.
import type { Block, InboundTransfer, Movements, Watched } from '../port/movements.ts';
import { findPlainMovements, findTracedMovements, readTransactions } from './inbound-native-transfers.ts';
import { findTokenMovements } from './inbound-token-transfers.ts';
import type { AskNode } from './node-client.ts';
import { findEvmOutboundTransfers } from './outbound-transfers.ts';

export async function readEvmInboundTransfers(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<InboundTransfer[]> {
  const { recipients, inboundTransfersAt } = await find(ask, block, watched, trace);
  return inboundTransfersAt(await askOurs(watched, recipients));
}

export async function readEvmMovements(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<Movements> {
  const { recipients, inboundTransfersAt, ...sent } = await find(ask, block, watched, trace);
  const { senders, outboundTransfersFrom } = findEvmOutboundTransfers(ask, block, sent);
  const ours = await askOurs(watched, [...recipients, ...senders]);
  return { inboundTransfers: await inboundTransfersAt(ours), outboundTransfers: await outboundTransfersFrom(ours) };
}

async function find(ask: AskNode, block: Block, watched: Watched, trace: boolean) {
  const transactions = await readTransactions(ask, block);
  const native = trace
    ? await findTracedMovements(ask, block, transactions, watched.allowMissing)
    : findPlainMovements(ask, block, transactions);
  const tokens = await findTokenMovements(ask, block, watched);
  return {
    recipients: [...native.recipients, ...tokens.recipients],
    inboundTransfersAt: async (ours: ReadonlySet<string>) => [
      ...(await native.inboundTransfersAt(ours)),
      ...(await tokens.inboundTransfersAt(ours)),
    ],
    transactions,
    inner: native.inner,
    claims: tokens.claims,
  };
}

async function askOurs(watched: Watched, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = new Set(addresses);
  return asked.size === 0 ? asked : watched.ours([...asked]);
}
