// Base64 where there is no `Buffer`: browsers. Knows nothing of what is encoded.

export const toBase64 = (bytes: Uint8Array): string => globalThis.btoa(String.fromCharCode(...bytes));

/** Undefined when it is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(globalThis.atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
