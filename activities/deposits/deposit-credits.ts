// Which movements of a block concern wallets: inbound transfers of an asset that is credited at an address of ours are
// deposits; what left one is a departure or an outflow. An inbound transfer is what a balance gained, so that change,
// and what goes in a circle, is none; what a contract pays in answer to a call of ours is one. Reads the chain and
// rows; records nothing.
import { log } from '@temporalio/activity';
import { type BitcoinNetwork, bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import { bitcoinCodecs } from '../../domain/payloads/bitcoin-codecs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Credit } from '../../drizzle/deposits/deposit-steps.ts';
import { type CreditedAsset, findReceivers, type Receiver } from '../../drizzle/deposits/deposits.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { Chain } from '../chains/port/chain.ts';
import type { Block, InboundTransfer, Watched } from '../chains/port/movements.ts';
import { type OutboundMovements, readOutbound } from './outbound-movements.ts';

export interface CreditSource {
  db: Database;
  chain: Chain;
  network: NetworkRow;
  /** Of which network the stored addresses of wallets are. */
  bitcoinNetwork: BitcoinNetwork;
  /** Up to this block an operator lets a node that cannot trace be believed without. */
  skipTracesUntil?: number | null;
}

/** All in one reading. Throws `ChainError` rather than leave something out. */
export async function readMovements(
  source: CreditSource,
  assets: readonly CreditedAsset[],
  block: Block,
): Promise<OutboundMovements & { credits: Credit[] }> {
  const { watched, byContract, receivers, creditsOf } = watchFor(source, assets, block);
  const { inboundTransfers, outboundTransfers } = await source.chain.movements(block, watched);
  const { db, network } = source;
  return {
    credits: creditsOf(inboundTransfers),
    ...(await readOutbound(db, network.id, outboundTransfers, { byContract, byAddress: receivers })),
  };
}

/** What to ask of one block, and whose what it answers is. */
function watchFor(source: CreditSource, assets: readonly CreditedAsset[], block: Block) {
  const byContract = new Map(assets.map((asset) => [asset.contract, asset]));
  const receivers = new Map<string, Receiver>();
  const contracts = new Set(assets.flatMap(({ contract }) => (contract === null ? [] : [contract])));
  const ours = async (addresses: readonly string[]) => {
    const found = await receiversAt(source, addresses);
    for (const [address, receiver] of found) receivers.set(address, receiver);
    return new Set(found.keys());
  };
  const watched: Watched = { contracts, ours, allowMissing: allowingMissing(source, block) };
  const creditsOf = (inboundTransfers: readonly InboundTransfer[]): Credit[] =>
    inboundTransfers.flatMap((inboundTransfer) => {
      const [asset, receiver] = [byContract.get(inboundTransfer.contract), receivers.get(inboundTransfer.to)];
      return asset === undefined || receiver === undefined
        ? []
        : [creditOf(source.network, inboundTransfer, asset, receiver)];
    });
  return { watched, byContract, receivers, creditsOf };
}

/**
 * The embedded anvil forgets, when it stops, what came of each block, and what it holds is worth nothing. Of a real
 * network nothing is left out but by an operator's word: it may be a deposit that nobody sees.
 */
const allowingMissing =
  (
    { network: { internalCode: networkCode }, skipTracesUntil }: CreditSource,
    { number }: Block,
  ): Watched['allowMissing'] =>
  (what, reason) => {
    const isAllowed = what === 'traces' && number <= (skipTracesUntil ?? -1);
    if (!isSandboxCode(networkCode) && !isAllowed) return false;
    log.warn(`a block is read without its ${what}: the node can no longer tell them`, {
      networkCode,
      block: number,
      reason,
    });
    return true;
  };

/**
 * By the address as it was asked for. A Bitcoin key has another address on each kind of network, of which one is
 * stored.
 */
async function receiversAt(
  { db, network, bitcoinNetwork }: CreditSource,
  addresses: readonly string[],
): Promise<Map<string, Receiver>> {
  const { addressType, internalCode } = network;
  const isElsewhere = addressType === 'btc' && bitcoinNetworkOf(internalCode) !== bitcoinNetwork;
  const [here, stored] = [bitcoinCodecs[bitcoinNetworkOf(internalCode)], bitcoinCodecs[bitcoinNetwork]];
  const storedForm = (address: string) => (isElsewhere ? stored.encode(here.decode(address)) : address);
  const asked = new Map(addresses.map((address) => [storedForm(address), address]));
  const found = new Map<string, Receiver>();
  for (const receiver of await findReceivers(db, addressType, [...asked.keys()])) {
    const address = asked.get(receiver.address);
    if (address !== undefined) found.set(address, receiver);
  }
  return found;
}

function creditOf(
  network: NetworkRow,
  inboundTransfer: InboundTransfer,
  asset: CreditedAsset,
  receiver: Receiver,
): Credit {
  const { txHash, index, from, to, amount, block } = inboundTransfer;
  if (amount <= 0n) throw new Error(`an inbound transfer of ${txHash} has no amount`);
  return {
    workspaceId: receiver.workspaceId,
    walletId: receiver.walletId,
    assetId: asset.id,
    networkId: network.id,
    txHash,
    arrivalIndex: index,
    fromAddress: from,
    toAddress: to,
    amountBaseUnits: amount,
    blockNumber: block.number,
    blockHash: block.hash,
    decimals: asset.decimals,
    addressType: network.addressType,
    derivationPath: receiver.derivationPath,
  };
}
