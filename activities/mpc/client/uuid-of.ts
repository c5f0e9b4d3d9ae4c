// The text of any 16 bytes as a UUID: `stringify` of uuid takes only those of a known version, and others may send any.
export function uuidOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
