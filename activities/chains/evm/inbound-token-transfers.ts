// Which ERC-20 amounts of given contracts a block brought, and to whom. A Transfer log only says where to look: what is
// reported is what the balance gained. Reads nothing of other contracts: anybody can write logs that look like a known
// token's.
import {
  type Address,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  type RpcLog,
  type RpcTransactionReceipt,
  zeroAddress,
} from 'viem';
import { ChainError } from '../port/chain-error.ts';
import type { Block, InboundTransfer, Watched } from '../port/movements.ts';
import { checksumAddress } from './checksum-address.ts';
import { hasSucceeded } from './follow-transaction.ts';
import type { EvmFindings } from './inbound-native-transfers.ts';
import { NodeRefusal, readQuantity } from './node-client.ts';
import { type AskedBlock, askSeveral } from './receipts.ts';
import { probeTokenBalance } from './token-balance.ts';

/** What a Transfer log says. */
export interface Claim {
  contract: Address;
  from: Address;
  to: Address;
  amount: bigint;
  log: RpcLog;
}
type Credit = Claim & { gained: bigint };

const [TRANSFER] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
export interface TokenFindings extends EvmFindings {
  claims: readonly Claim[];
}

export async function findTokenMovements(
  asked: AskedBlock,
  { contracts, allowMissing }: Watched,
): Promise<TokenFindings> {
  const { ask, block } = asked;
  if (contracts.size === 0) return { recipients: [], inboundTransfersAt: async () => [], claims: [] };
  // By the block's hash (EIP-234): a node that does not have it says so, where by number it would answer that there
  // were none.
  const filter = { blockHash: block.hash as Hex, address: [...contracts] as Address[], topics: [TRANSFER] };
  const logs = await ask({ method: 'eth_getLogs', params: [filter] });
  const claims = logs
    .map((log) => readClaim(log, block))
    .filter((claim) => claim !== undefined)
    .filter(({ contract }) => contracts.has(contract));
  return {
    recipients: claims.map(({ to }) => to),
    inboundTransfersAt: (ours) => readGains({ asked, claims, allowMissing }, ours),
    claims,
  };
}

interface Claimed extends Pick<Watched, 'allowMissing'> {
  asked: AskedBlock;
  claims: readonly Claim[];
}

async function readGains(claimed: Claimed, ours: ReadonlySet<string>): Promise<InboundTransfer[]> {
  const groups = [...incomingByBalance(claimed.claims, ours)];
  const credits = await askSeveral(groups, (incoming) => creditsOf(claimed, incoming));
  return askSeveral(credits.flat(), (credit) => inboundTransferOf(claimed.asked, credit));
}

/** Undefined for what is no ERC-20 transfer (ERC-721 has a fourth topic) or moves nothing. */
function readClaim(log: RpcLog, block: Block): Claim | undefined {
  if (log.blockHash !== block.hash || log.removed) throw new ChainError('the node answered logs of another block');
  const [, from, to, ...more] = log.topics;
  if (from === undefined || to === undefined || more.length > 0 || log.data.length !== 66) return undefined;
  const amount = readQuantity(log.data, 'amount');
  if (amount === 0n || from === to) return undefined;
  return { contract: checksumAddress(log.address), from: addressIn(from), to: addressIn(to), amount, log };
}

const addressIn = (topic: Hex): Address => checksumAddress(`0x${topic.slice(-40)}`);

/** The claims upon one balance, of one contract and one address of ours, together. */
function incomingByBalance(claims: readonly Claim[], ours: ReadonlySet<string>): Iterable<Claim[]> {
  const groups = new Map<string, Claim[]>();
  for (const claim of claims.filter(({ to }) => ours.has(to))) {
    const balance = `${claim.contract} ${claim.to}`;
    groups.set(balance, [...(groups.get(balance) ?? []), claim]);
  }
  return groups.values();
}

/**
 * What came in is the change of the balance over the block and what the same block's logs took out. Where it is what
 * the logs claim, each gets its claim; where it is more (a rebase), nobody's transfer brought the rest; where it is
 * less (a fee, or a log without a move), the claims share it in proportion: which of them were true cannot be told from
 * outside, their sum can, and all of it is the same address's.
 */
async function creditsOf({ asked, claims, allowMissing }: Claimed, incoming: readonly Claim[]): Promise<Credit[]> {
  const { ask, block } = asked;
  const [first] = incoming;
  if (first === undefined) return [];
  const { contract, to } = first;
  const probes = [block.parentHash, block.hash].map((hash) => probeTokenBalance(ask, contract, to, hash as Hex));
  const balances = await Promise.all(probes).catch((error: unknown) => {
    if (error instanceof NodeRefusal && allowMissing?.('states', error.message)) return undefined;
    throw error;
  });
  if (balances === undefined) return incoming.map((claim) => ({ ...claim, gained: claim.amount }));
  const [before, after] = balances;
  if (before === undefined || after === undefined) return [];
  const takenOut = sum(claims.filter((claim) => claim.contract === contract && claim.from === to));
  const cameIn = after - before + takenOut;
  const claimed = sum(incoming);
  const share = cameIn < claimed ? cameIn : claimed;
  if (share <= 0n) return [];
  return shareOut(incoming, claimed, share).filter(({ gained }) => gained > 0n);
}

/** Rounding leaves nothing over: each claim gets what the claims up to it are due, less what those before it got. */
function shareOut(incoming: readonly Claim[], claimed: bigint, share: bigint): Credit[] {
  let claimedSoFar = 0n;
  let sharedSoFar = 0n;
  return incoming.map((claim) => {
    claimedSoFar += claim.amount;
    const gained = (claimedSoFar * share) / claimed - sharedSoFar;
    sharedSoFar += gained;
    return { ...claim, gained };
  });
}

const sum = (claims: readonly Claim[]) => claims.reduce((total, { amount }) => total + amount, 0n);

async function inboundTransferOf(
  { block, receiptOf }: AskedBlock,
  { contract, from, to, gained, log }: Credit,
): Promise<InboundTransfer> {
  const txHash = transactionOf(log);
  return {
    txHash,
    index: indexOf(log, await receiptOf(txHash)),
    contract,
    from: from === zeroAddress ? null : from,
    to,
    amount: gained,
    block,
  };
}

export function transactionOf({ transactionHash }: RpcLog): Hex {
  if (transactionHash === null) throw new ChainError('the node answered a log without its transaction');
  return transactionHash;
}

/**
 * The index of a log is that in its block; the place within its transaction stays when the transaction is mined again.
 */
export function indexOf(log: RpcLog, receipt: RpcTransactionReceipt): string {
  const place = receipt.logs.findIndex(({ logIndex }) => logIndex === log.logIndex);
  if (place < 0 || !hasSucceeded(receipt))
    throw new ChainError(`the log and the receipt of ${receipt.transactionHash} contradict`);
  return `log:${place}`;
}
