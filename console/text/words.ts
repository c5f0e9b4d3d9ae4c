// Names of the interface as words for people.

/** `pending_approval` as "pending approval", `evm_message` as "EVM message". */
export const words = (name: string): string =>
  name.replaceAll(/[_.]/g, ' ').replaceAll(/\b(evm|api|utxo)\b/g, (short) => short.toUpperCase());

export const capitalised = (name: string): string => {
  const text = words(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Of a file, with three digits: `1.53 MB`. */
export function sizeInWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZES.length - 1);
  return `${Number((bytes / 1000 ** step).toPrecision(3))} ${SIZES[step]}`;
}

/** The beginning and the end of what nobody reads whole. */
export const shortened = (text: string, keep = 6): string =>
  text.length <= keep * 2 + 1 ? text : `${text.slice(0, keep)}…${text.slice(-keep)}`;
