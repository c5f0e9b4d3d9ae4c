// What a block of an EVM chain moved to addresses of ours, and from them: first whom it may concern, then which of them
// are ours, asked once, then what those got and lost. Knows neither how native currency nor how tokens move.
import type { Block, InboundTransfer, Movements, Watched } from '../port/movements.ts';
import { findPlainMovements, findTracedMovements, readTransactions } from './inbound-native-transfers.ts';
import { findTokenMovements } from './inbound-token-transfers.ts';
import type { AskNode } from './node-client.ts';
import { findEvmOutboundTransfers } from './outbound-transfers.ts';
import { type AskedBlock, askOfBlock } from './receipts.ts';

export async function readEvmInboundTransfers(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<InboundTransfer[]> {
  const { recipients, inboundTransfersAt } = await find(askOfBlock(ask, block), watched, trace);
  return inboundTransfersAt(await askOurs(watched, recipients));
}

export async function readEvmMovements(
  ask: AskNode,
  block: Block,
  watched: Watched,
  trace: boolean,
): Promise<Movements> {
  const asked = askOfBlock(ask, block);
  const { recipients, inboundTransfersAt, ...sent } = await find(asked, watched, trace);
  const { senders, outboundTransfersFrom } = findEvmOutboundTransfers(asked, sent);
  const ours = await askOurs(watched, [...recipients, ...senders]);
  return { inboundTransfers: await inboundTransfersAt(ours), outboundTransfers: await outboundTransfersFrom(ours) };
}

async function find(asked: AskedBlock, watched: Watched, trace: boolean) {
  const transactions = await readTransactions(asked);
  const native = trace
    ? await findTracedMovements(asked, transactions, watched.allowMissing)
    : findPlainMovements(asked, transactions);
  const tokens = await findTokenMovements(asked, watched);
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
