// Fake deposits on an EVM network (controls D1 and D2), each upon a wallet of its own, and true ones that look like
// them.
import { type Address, concatHex, encodeFunctionData, erc20Abi, getAddress, type Hex, maxUint256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { type Anvil, dev } from '../../../support/chains/anvil.ts';
import type { DepositDatabase } from '../../../support/chains/deposit-watch.ts';
import { deploy } from '../../../support/chains/evm-contracts.ts';
import { callThrough, logCall, place, TRANSFER, word } from './hostile-code.ts';

export interface EvmWorld {
  anvil: Anvil;
  rows: DepositDatabase;
  /** The wallet that the fake is aimed at; it has gas, and no deposit yet. */
  ours: PrivateKeyAccount;
}

export interface EvmCase {
  control: 'D1' | 'D2';
  name: string;
  play: (world: EvmWorld) => Promise<unknown>;
  /** What of it is true: base units, in the order of the deposits. */
  credited?: readonly bigint[];
}

const NETWORK = 'ETHEREUM_SANDBOX';
const GAS = 3_000_000n;
type Program = Parameters<typeof deploy>[1];
type Hostile = Parameters<typeof place>[1];

const send = ({ anvil }: EvmWorld, to: Address, data: Hex = '0x', { value = 0n, gas = GAS } = {}) =>
  anvil.client.sendTransaction({ to, data, value, gas });

export const transferCall = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });

/** A token that the catalogue credits. */
async function listed({ anvil, rows }: EvmWorld, name: Program): Promise<Address> {
  const token = getAddress(await deploy(anvil, name));
  await rows.makeAsset(NETWORK, token);
  return token;
}

async function placed({ anvil, rows }: EvmWorld, name: Hostile): Promise<Address> {
  const token = getAddress(await place(anvil, name));
  await rows.makeAsset(NETWORK, token);
  return token;
}

const payToken = (world: EvmWorld, token: Address, amount: bigint) =>
  send(world, token, transferCall(world.ours.address, amount));

/** Of the wallet's own. */
async function sendAsOurs({ anvil, ours }: EvmWorld, to: Address, data: Hex = '0x', value = 0n) {
  const [nonce, { maxFeePerGas, maxPriorityFeePerGas }] = [
    await anvil.client.getTransactionCount({ address: ours.address, blockTag: 'pending' }),
    await anvil.client.estimateFeesPerGas(),
  ];
  const serializedTransaction = await ours.signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce,
    to,
    data,
    value,
    gas: GAS,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return anvil.client.sendRawTransaction({ serializedTransaction });
}

const claim = (to: Hex, from: Hex = dev.address): readonly Hex[] => [TRANSFER, word(from), word(to)];
const logging = (topics: (ours: Address) => readonly Hex[], data: Hex) => async (world: EvmWorld) =>
  send(world, await placed(world, 'logger'), logCall(topics(world.ours.address), data));

const undone: EvmCase[] = [
  {
    control: 'D1',
    name: 'a forwarder that pays, in a transaction that reverts',
    play: async (world) =>
      send(world, await deploy(world.anvil, 'forwarder'), concatHex([word(world.ours.address), word(2n)]), {
        value: 5n,
      }),
  },
  {
    control: 'D1',
    name: 'a forwarder that pays in a frame that is undone, in a transaction that succeeds',
    play: async (world) =>
      send(world, await deploy(world.anvil, 'forwarder'), concatHex([word(world.ours.address), word(1n)]), {
        value: 5n,
      }),
  },
  ...([1n, 2n] as const).flatMap((way): EvmCase[] => [
    {
      control: 'D1',
      name: `a payment two frames below one that is undone, way ${way}`,
      play: async (world) => {
        const forwarder = await deploy(world.anvil, 'forwarder');
        const pay = concatHex([word(world.ours.address), word(0n)]);
        return send(world, await place(world.anvil, 'caller'), callThrough(forwarder, way, pay), { value: 5n });
      },
    },
    {
      control: 'D1',
      name: `a token transfer in a frame that is undone, way ${way}`,
      play: async (world) => {
        const [token, caller] = [await listed(world, 'honestToken'), await place(world.anvil, 'caller')];
        await send(world, token, transferCall(caller, 100n));
        return send(world, caller, callThrough(token, way, transferCall(world.ours.address, 60n)));
      },
    },
  ]),
  {
    control: 'D1',
    name: 'a payment that runs out of gas',
    play: async (world) =>
      send(world, await deploy(world.anvil, 'forwarder'), concatHex([word(world.ours.address), word(0n)]), {
        value: 5n,
        gas: 24_000n,
      }),
  },
  {
    control: 'D1',
    name: 'a token transfer that runs out of gas',
    play: async (world) =>
      send(world, await listed(world, 'honestToken'), transferCall(world.ours.address, 5n), { gas: 30_000n }),
  },
  {
    control: 'D1',
    name: 'a token transfer beyond the balance of its sender',
    play: async (world) => payToken(world, await listed(world, 'honestToken'), 10n ** 30n),
  },
  {
    control: 'D1',
    name: 'a token that reverts every transfer',
    play: async (world) => payToken(world, await listed(world, 'revertingToken'), 5n),
  },
];

const empty: EvmCase[] = [
  { control: 'D1', name: 'a transaction without an amount', play: (world) => send(world, world.ours.address) },
  {
    control: 'D1',
    name: 'from the wallet to itself',
    play: (world) => sendAsOurs(world, world.ours.address, '0x', 5n),
  },
  ...(['delegator', 'callcoder', 'staticCaller'] as const).map(
    (name): EvmCase => ({
      control: 'D1',
      name: `a call that names the wallet and hands it nothing: ${name}`,
      play: async (world) => send(world, await place(world.anvil, name), word(world.ours.address), { value: 5n }),
    }),
  ),
  {
    control: 'D1',
    name: 'a balance that grows without a transaction, as rewards of validators do',
    play: ({ anvil, ours }) => anvil.client.setBalance({ address: ours.address, value: 10n ** 20n }),
  },
  {
    control: 'D2',
    name: 'a token transfer of nothing',
    play: async (world) => payToken(world, await listed(world, 'honestToken'), 0n),
  },
  {
    control: 'D2',
    name: 'a token transfer from the wallet to itself',
    credited: [9n],
    play: async (world) => {
      const token = await listed(world, 'honestToken');
      await payToken(world, token, 9n);
      await world.anvil.client.mine({ blocks: 1 });
      return sendAsOurs(world, token, transferCall(world.ours.address, 5n));
    },
  },
];

const tokens: EvmCase[] = [
  {
    control: 'D2',
    name: 'a look-alike of a listed token',
    play: async (world) => {
      await listed(world, 'honestToken');
      return payToken(world, await deploy(world.anvil, 'honestToken'), 500n);
    },
  },
  {
    control: 'D2',
    name: 'a token that is off the whitelist',
    play: async (world) => {
      const token = getAddress(await deploy(world.anvil, 'honestToken'));
      await world.rows.makeAsset(NETWORK, token, 6, false);
      return payToken(world, token, 500n);
    },
  },
  {
    control: 'D2',
    name: 'a token of the same contract address on another network',
    play: async (world) => {
      const token = getAddress(await deploy(world.anvil, 'honestToken'));
      await world.rows.makeAsset('BASE_MAINNET', token);
      return payToken(world, token, 500n);
    },
  },
  ...(['lyingToken', 'muteToken', 'emptyToken', 'endlessToken'] as const).map(
    (name): EvmCase => ({
      control: 'D2',
      name: `a log without a gain: ${name}`,
      play: async (world) => payToken(world, await listed(world, name), 500n),
    }),
  ),
  ...(['falseToken', 'silentFalseToken'] as const).map(
    (name): EvmCase => ({
      control: 'D2',
      name: `a transfer that answers false: ${name}`,
      play: async (world) => payToken(world, await placed(world, name), 500n),
    }),
  ),
  {
    control: 'D2',
    name: 'a log of somebody else’s contract beside a true transfer',
    play: async (world) => {
      await send(world, await place(world.anvil, 'logger'), logCall(claim(world.ours.address), word(900n)));
      return payToken(world, await listed(world, 'honestToken'), 9n);
    },
    credited: [9n],
  },
  {
    control: 'D2',
    name: 'a token that takes a fee',
    credited: [90n],
    play: async (world) => payToken(world, await listed(world, 'feeToken'), 100n),
  },
  {
    control: 'D2',
    name: 'a token that logs each move twice',
    credited: [50n, 50n],
    play: async (world) => payToken(world, await placed(world, 'doubleLogToken'), 100n),
  },
  {
    control: 'D2',
    name: 'a token that gives one unit whatever it logs',
    credited: [1n],
    play: async (world) => payToken(world, await placed(world, 'inflatingToken'), 1_000_000n),
  },
];

const logs: EvmCase[] = [
  {
    control: 'D2',
    name: 'the log of a token that is no ERC-20 (four topics)',
    play: logging((ours) => [...claim(ours), word(1n)], '0x'),
  },
  { control: 'D2', name: 'a log of too little data', play: logging(claim, '0x05') },
  { control: 'D2', name: 'a log of too much data', play: logging(claim, concatHex([word(5n), word(5n)])) },
  { control: 'D2', name: 'a log of all that there can be', play: logging(claim, word(maxUint256)) },
  { control: 'D2', name: 'a log that claims to mint', play: logging((ours) => claim(ours, '0x00'), word(5n)) },
  {
    control: 'D2',
    name: 'a log whose recipient has more than an address',
    play: logging((ours) => [TRANSFER, word(dev.address), concatHex([`0x${'ff'.repeat(12)}`, ours])], word(5n)),
  },
  { control: 'D2', name: 'a log from the wallet to itself', play: logging((ours) => claim(ours, ours), word(5n)) },
  {
    control: 'D2',
    name: 'the log of an approval',
    play: logging(
      (ours) => ['0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925', word(dev.address), word(ours)],
      word(5n),
    ),
  },
  {
    control: 'D2',
    name: 'a hundred logs of one token that moved nothing',
    play: async (world) => {
      const logger = await placed(world, 'logger');
      for (let copy = 0; copy < 100; copy += 1)
        await send(world, logger, logCall(claim(world.ours.address), word(5n)), { gas: 100_000n });
    },
  },
];

/** True, though no transaction names the wallet. */
const passedOn: EvmCase[] = [
  {
    control: 'D1',
    name: 'what a contract passes on',
    credited: [5n],
    play: async (world) =>
      send(world, await deploy(world.anvil, 'forwarder'), concatHex([word(world.ours.address), word(0n)]), {
        value: 5n,
      }),
  },
  {
    control: 'D1',
    name: 'a token transfer by a contract',
    credited: [60n],
    play: async (world) => {
      const [token, caller] = [await listed(world, 'honestToken'), await place(world.anvil, 'caller')];
      await send(world, token, transferCall(caller, 100n));
      return send(world, caller, callThrough(token, 0n, transferCall(world.ours.address, 60n)));
    },
  },
];

export const evmCases: readonly EvmCase[] = [...undone, ...empty, ...tokens, ...logs, ...passedOn];
