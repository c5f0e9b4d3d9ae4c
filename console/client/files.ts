// Files of the service in the browser: gathered as they come, looked at whether they are whole, and handed to whoever
// asked, as a download. What has come is the browser's to keep, which has large files on its disk and not in memory.

const GATHERED_AT_ONCE = 8 * 1024 * 1024;
/** A browser computes a SHA-256 of what is in memory alone. */
const CHECKED_BYTES_MAX = 256 * 1024 * 1024;

/** `onBytes` hears how many have come so far. */
export async function gather(pieces: AsyncIterable<Uint8Array>, onBytes?: (bytes: number) => void): Promise<Blob> {
  const parts: Blob[] = [];
  let [waiting, length, bytes]: [BlobPart[], number, number] = [[], 0, 0];
  const keep = () => {
    const part = new Blob(waiting);
    parts.push(part);
    bytes += part.size;
    [waiting, length] = [[], 0];
    onBytes?.(bytes);
  };
  for await (const piece of pieces) {
    waiting.push(piece as Uint8Array<ArrayBuffer>);
    length += piece.length;
    if (length >= GATHERED_AT_ONCE) keep();
  }
  keep();
  return new Blob(parts);
}

/** Throws for what is not the file that was written. Of very large ones their length alone says so. */
export async function assertWhole(file: Blob, expected: { bytes: number; sha256: string }): Promise<void> {
  const isLong = file.size > CHECKED_BYTES_MAX;
  const isWhole = file.size === expected.bytes && (isLong || (await sha256Of(file)) === expected.sha256);
  if (!isWhole) throw new Error('What came is not the file that was written: download it once more.');
}

async function sha256Of(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
