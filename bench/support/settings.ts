// How much a run measures: `--quick` answers in some two minutes with wide spreads and leaves wallets out, whose keys
// take the nodes long; the full run takes under twenty.

export interface Settings {
  quick: boolean;
  /** Measured rounds a side; one more is run first and thrown away. */
  rounds: number;
  /** HTTP connections of (a) and (b), each with one request under way. */
  connections: number;
  writesPerRound: number;
  readsPerRound: number;
  /** Signatures under way at once, one measurement each. */
  concurrencies: readonly number[];
  signingRoundMs: number;
  /** Each ends with the last of sixteen, which takes the nodes half a minute more. */
  walletsRoundMs: number;
}

const full: Settings = {
  quick: false,
  rounds: 6,
  connections: 32,
  writesPerRound: 960,
  readsPerRound: 6_400,
  concurrencies: [1, 8, 32],
  signingRoundMs: 2_000,
  walletsRoundMs: 4_000,
};

const quick: Settings = {
  ...full,
  quick: true,
  rounds: 4,
  writesPerRound: 160,
  readsPerRound: 1_920,
  signingRoundMs: 300,
};

export function readSettings(args: readonly string[]): Settings {
  const unknown = args.find((argument) => argument !== '--quick');
  if (unknown !== undefined) throw new Error(`${unknown} is no option: the only one is --quick.`);
  return args.includes('--quick') ? quick : full;
}
