// Fake deposits on Solana (control D3), each upon a wallet of its own, and true ones that look like them.
import { type Address, address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getBurnInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type { DepositDatabase } from '../../../support/chains/deposit-watch.ts';
import { makeMint, type SolanaClient, tokenAccountOf } from '../../../support/chains/solana.ts';

export interface SolanaWorld {
  client: SolanaClient;
  rows: DepositDatabase;
  /** The wallet that the fake is aimed at. */
  ours: KeyPairSigner;
}

export interface SolanaCase {
  name: string;
  play: (world: SolanaWorld) => Promise<unknown>;
  credited?: readonly bigint[];
}

const NETWORK = 'SOL_SANDBOX';
const RENT = 2_039_280n;
/** Enough for an account to exist. */
const AMOUNT = 5_000_000n;
const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const WRAPPED_SOL = address('So11111111111111111111111111111111111111112');

/** A mint that the catalogue credits. */
async function listedMint({ client, rows }: SolanaWorld) {
  const made = await makeMint(client, 6);
  await rows.makeAsset(NETWORK, made.mint);
  return made;
}

const paySol = ({ client }: SolanaWorld, destination: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: client.payer, destination, amount });

/** In the chain, and failed there: no node's own trial keeps it away. */
async function executeFailing({ client }: SolanaWorld, ...instructions: Instruction[]): Promise<void> {
  const signature = await client.send(await client.sign(...instructions), true);
  const { meta } = await client.confirm(signature);
  if (meta.err === null) throw new Error('the transaction was to fail');
}

/** What nobody has: makes any transaction fail at its end. */
const beyondMeans = (world: SolanaWorld) => paySol(world, world.client.payer.address, 10n ** 18n);

/** A token account at an address of its own, of this owner. */
async function extraAccount({ client }: SolanaWorld, mint: Address, owner: Address) {
  const newAccount = await generateKeyPairSigner();
  const instructions: Instruction[] = [
    getCreateAccountInstruction({
      payer: client.payer,
      newAccount,
      lamports: RENT,
      space: 165n,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeAccount3Instruction({ account: newAccount.address, mint, owner }),
  ];
  return { account: newAccount.address, instructions };
}

const mintTo = ({ client }: SolanaWorld, mint: Address, token: Address, amount: bigint): Instruction =>
  getMintToInstruction({ mint, token, mintAuthority: client.payer, amount });

const failed: SolanaCase[] = [
  {
    name: 'a payment in a transaction that fails after it',
    play: (world) => executeFailing(world, paySol(world, world.ours.address, AMOUNT), beyondMeans(world)),
  },
  {
    name: 'a token payment in a transaction that fails after it',
    play: async (world) => {
      const { mint } = await listedMint(world);
      const ata = await tokenAccountOf(world.ours.address, mint);
      const { payer } = world.client;
      const create = getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: world.ours.address, mint });
      await executeFailing(world, create, mintTo(world, mint, ata, 7n), beyondMeans(world));
    },
  },
  {
    name: 'a payment that is more than its sender has',
    play: (world) => executeFailing(world, paySol(world, world.ours.address, 10n ** 18n)),
  },
  {
    name: 'a token payment that is more than its sender has',
    play: async (world) => {
      const { mint, mintTo: give } = await listedMint(world);
      const { payer } = world.client;
      await give(payer.address, 3n);
      await give(world.ours.address, 2n);
      const [source, destination] = [
        await tokenAccountOf(payer.address, mint),
        await tokenAccountOf(world.ours.address, mint),
      ];
      const move = { source, mint, destination, authority: payer, amount: 4n, decimals: 6 };
      await executeFailing(world, getTransferCheckedInstruction(move));
    },
    credited: [2n],
  },
];

const otherMints: SolanaCase[] = [
  {
    name: 'a mint that looks like a listed one',
    play: async (world) => {
      await listedMint(world);
      return (await makeMint(world.client, 6)).mintTo(world.ours.address, 900n);
    },
  },
  {
    name: 'a listed mint, off the whitelist',
    play: async (world) => {
      const { mint, mintTo: give } = await makeMint(world.client, 6);
      await world.rows.makeAsset(NETWORK, mint, 6, false);
      return give(world.ours.address, 900n);
    },
  },
  {
    name: 'a mint of another token program, though it is listed',
    play: async (world) => {
      const { client, ours } = world;
      const { mint } = await makeMint(client, 6, TOKEN_2022);
      await world.rows.makeAsset(NETWORK, mint);
      const newAccount = await generateKeyPairSigner();
      const programAddress = TOKEN_2022;
      return client.execute(
        getCreateAccountInstruction({ payer: client.payer, newAccount, lamports: RENT, space: 165n, programAddress }),
        getInitializeAccount3Instruction(
          { account: newAccount.address, mint, owner: ours.address },
          { programAddress },
        ),
        getMintToInstruction(
          { mint, token: newAccount.address, mintAuthority: client.payer, amount: 7n },
          { programAddress },
        ),
      );
    },
  },
  {
    name: 'wrapped SOL, which the catalogue does not have',
    play: async (world) => {
      const { client, ours } = world;
      const ata = await tokenAccountOf(ours.address, WRAPPED_SOL);
      const owner = ours.address;
      return client.execute(
        getCreateAssociatedTokenIdempotentInstruction({ payer: client.payer, ata, owner, mint: WRAPPED_SOL }),
        paySol(world, ata, AMOUNT),
        getSyncNativeInstruction({ account: ata }),
      );
    },
  },
];

const otherAccounts: SolanaCase[] = [
  {
    name: 'tokens in an account of the wallet’s that is not its own for the mint',
    play: async (world) => {
      const { mint } = await listedMint(world);
      const { account, instructions } = await extraAccount(world, mint, world.ours.address);
      return world.client.execute(...instructions, mintTo(world, mint, account, 7n));
    },
  },
  {
    name: 'an account full of tokens that is given to the wallet',
    play: async (world) => {
      const { mint } = await listedMint(world);
      const { payer } = world.client;
      const { account, instructions } = await extraAccount(world, mint, payer.address);
      await world.client.execute(...instructions, mintTo(world, mint, account, 7n));
      const authorityType = AuthorityType.AccountOwner;
      const give = { owned: account, owner: payer, authorityType, newAuthority: world.ours.address };
      return world.client.execute(getSetAuthorityInstruction(give));
    },
  },
  {
    name: 'tokens of somebody else that the wallet may move',
    play: async (world) => {
      const { mint, mintTo: give } = await listedMint(world);
      const { payer } = world.client;
      await give(payer.address, 7n);
      const source = await tokenAccountOf(payer.address, mint);
      const delegate = world.ours.address;
      return world.client.execute(getApproveInstruction({ source, delegate, owner: payer, amount: 7n }));
    },
  },
  {
    name: 'the rent of a token account for the wallet',
    play: async (world) => {
      const { mint } = await listedMint(world);
      const { payer } = world.client;
      const ata = await tokenAccountOf(world.ours.address, mint);
      const create = { payer, ata, owner: world.ours.address, mint };
      return world.client.execute(getCreateAssociatedTokenIdempotentInstruction(create));
    },
  },
];

const circles: SolanaCase[] = [
  {
    name: 'a payment that goes back in the same transaction',
    play: (world) => {
      const { client, ours } = world;
      const back = getTransferSolInstruction({ source: ours, destination: client.payer.address, amount: AMOUNT });
      return client.execute(paySol(world, ours.address, AMOUNT), back);
    },
  },
  {
    name: 'a payment of which most goes back in the same transaction',
    play: (world) => {
      const { client, ours } = world;
      const back = getTransferSolInstruction({ source: ours, destination: client.payer.address, amount: AMOUNT - 1n });
      return client.execute(paySol(world, ours.address, 2n * AMOUNT), back);
    },
    credited: [AMOUNT + 1n],
  },
  {
    name: 'tokens that are burned in the same transaction',
    play: async (world) => {
      const { client, ours } = world;
      const { mint } = await listedMint(world);
      const ata = await tokenAccountOf(ours.address, mint);
      return client.execute(
        getCreateAssociatedTokenIdempotentInstruction({ payer: client.payer, ata, owner: ours.address, mint }),
        mintTo(world, mint, ata, 7n),
        getBurnInstruction({ account: ata, mint, authority: ours, amount: 7n }),
      );
    },
  },
  {
    name: 'from the wallet to itself, at the cost of another',
    play: async (world) => {
      const { client, ours } = world;
      await client.execute(paySol(world, ours.address, AMOUNT));
      return client.execute(getTransferSolInstruction({ source: ours, destination: ours.address, amount: 1_000n }));
    },
    credited: [AMOUNT],
  },
  {
    name: 'tokens from the wallet to itself',
    play: async (world) => {
      const { client, ours } = world;
      const { mint, mintTo: give } = await listedMint(world);
      await give(ours.address, 9n);
      const source = await tokenAccountOf(ours.address, mint);
      const move = { source, destination: source, mint, authority: ours, amount: 9n, decimals: 6 };
      return client.execute(getTransferCheckedInstruction(move));
    },
    credited: [9n],
  },
  { name: 'a payment of nothing', play: (world) => world.client.execute(paySol(world, world.ours.address, 0n)) },
  {
    name: 'a token payment of nothing',
    play: async (world) => (await listedMint(world)).mintTo(world.ours.address, 0n),
  },
];

export const solanaCases: readonly SolanaCase[] = [...failed, ...otherMints, ...otherAccounts, ...circles];
