// Names of the interface as words for people.

/** `pending_approval` as "pending approval". */
export const words = (name: string): string => name.replaceAll(/[_.]/g, ' ');

export const capitalised = (name: string): string => {
  const text = words(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};

/** The beginning and the end of what nobody reads whole. */
export const shortened = (text: string, keep = 6): string =>
  text.length <= keep * 2 + 1 ? text : `${text.slice(0, keep)}…${text.slice(-keep)}`;
