// Solana messages byte by byte, legacy and version 0, with what a library would not compile: instructions that name
// accounts of address tables.

export interface Instruction {
  program: Uint8Array;
  accounts: readonly (Uint8Array | { lookup: number })[];
  data: Uint8Array;
}

export const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
export const PAYER = keyOf(1);
export const SOMEBODY = keyOf(2);
export const SYSTEM_PROGRAM = keyOf(0);

const shortLength = (length: number) => (length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]);
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** As hex with 0x. The payer is the only signer. With `tables` it is of version 0, and each table adds two accounts. */
export function solanaMessage(instructions: readonly Instruction[], tables = 0): `0x${string}` {
  const keys: Uint8Array[] = [PAYER];
  const indexOf = (key: Uint8Array) => {
    const found = keys.findIndex((one) => isSame(one, key));
    return found === -1 ? keys.push(key) - 1 : found;
  };
  for (const { program, accounts } of instructions)
    for (const key of [...accounts, program]) if (key instanceof Uint8Array) indexOf(key);
  const body = instructions.flatMap(({ program, accounts, data }) => [
    indexOf(program),
    ...shortLength(accounts.length),
    ...accounts.map((account) => (account instanceof Uint8Array ? indexOf(account) : keys.length + account.lookup)),
    ...shortLength(data.length),
    ...data,
  ]);
  const lookups = Array.from({ length: tables }, (_, index) => [...keyOf(0xe0 + index), 1, 0, 1, 1]).flat();
  const message = [
    ...(tables > 0 ? [0x80] : []),
    1,
    0,
    0,
    ...shortLength(keys.length),
    ...keys.flatMap((key) => [...key]),
    ...keyOf(0x77),
    ...shortLength(instructions.length),
    ...body,
    ...(tables > 0 ? [...shortLength(tables), ...lookups] : []),
  ];
  return `0x${Buffer.from(message).toString('hex')}`;
}

export function uint64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export const lamportsTo = (lamports: bigint, to: Instruction['accounts'][number] = SOMEBODY): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [PAYER, to],
  data: Uint8Array.of(2, 0, 0, 0, ...uint64(lamports)),
});
