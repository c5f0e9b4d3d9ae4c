// Frames on a byte stream: a length (u32, big-endian), then that many bytes. Refuses a frame above the cap before it is
// collected.
import { maxFrameBytes } from './wire.ts';

const headerBytes = 4;

/** `parts` joined behind their length. */
export function toFrame(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > maxFrameBytes) throw new RangeError('frame is longer than the protocol allows');
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(length);
  return Buffer.concat([header, ...parts], headerBytes + length);
}

/**
 * Collects chunks and hands out whole frames, as views of what arrived: chunks belong to whoever pushes them no more.
 * Throws a RangeError at a length above the cap.
 */
export class FrameSplitter {
  #chunks: Buffer[] = [];
  #collectedBytes = 0;
  #wantedBytes = headerBytes;
  #inBody = false;

  push(chunk: Buffer): Buffer[] {
    const frames: Buffer[] = [];
    this.#chunks.push(chunk);
    this.#collectedBytes += chunk.length;
    while (this.#collectedBytes >= this.#wantedBytes) {
      const part = this.#take();
      if (this.#inBody) frames.push(part);
      this.#wantedBytes = this.#inBody ? headerBytes : lengthOf(part);
      this.#inBody = !this.#inBody;
    }
    return frames;
  }

  /**
   * Joins only once enough has arrived, so a large frame in many chunks is copied once, and one in a single chunk
   * never.
   */
  #take(): Buffer {
    const [first = Buffer.alloc(0), second] = this.#chunks;
    const joined = second === undefined ? first : Buffer.concat(this.#chunks);
    const part = joined.subarray(0, this.#wantedBytes);
    const rest = joined.subarray(this.#wantedBytes);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#collectedBytes = rest.length;
    return part;
  }
}

function lengthOf(header: Buffer): number {
  const length = header.readUInt32BE();
  if (length > maxFrameBytes) throw new RangeError('frame is longer than the protocol allows');
  return length;
}
