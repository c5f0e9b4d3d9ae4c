// Borsh (https://borsh.io), strict: one encoding for a value, so a decoder refuses trailing bytes, unknown variants,
// invalid UTF-8 and lengths above a stated limit. The `borsh` package decodes byte strings one element at a time (4 ms
// for one 55 kB envelope, 13 ms a signature) and accepts trailing bytes; it serves as the reference in the tests.
// Nothing here knows a message of the protocol.

/** The bytes are not what the schema says, or the value does not fit it. Never carries the bytes. */
export class BorshError extends Error {
  override readonly name = 'BorshError';
}

export interface Codec<T> {
  write(writer: Writer, value: T): void;
  read(reader: Reader): T;
}

export type TypeOf<C> = C extends Codec<infer T> ? T : never;
type Fields = Readonly<Record<string, Codec<unknown>>>;
type ValueOf<F extends Fields> = { -readonly [K in keyof F]: TypeOf<F[K]> };
type VariantOf<V extends Readonly<Record<string, Fields>>> = { [K in keyof V]: { kind: K } & ValueOf<V[K]> }[keyof V];

class Writer {
  readonly parts: Uint8Array[] = [];
  integer(value: number, sizeBytes: 1 | 2 | 4): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * sizeBytes))
      throw new BorshError('integer out of range');
    const part = Buffer.alloc(sizeBytes);
    part.writeUIntLE(value, 0, sizeBytes);
    this.parts.push(part);
  }
  bytes(value: Uint8Array): void {
    this.parts.push(value);
  }
}

class Reader {
  readonly #input: Buffer;
  #offset = 0;
  constructor(input: Uint8Array) {
    this.#input = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  }
  integer(sizeBytes: 1 | 2 | 4): number {
    return this.view(sizeBytes).readUIntLE(0, sizeBytes);
  }
  /** A view, not a copy: a frame belongs to one message and is never reused. */
  view(sizeBytes: number): Buffer {
    const end = this.#offset + sizeBytes;
    if (end > this.#input.length) throw new BorshError('input ends too early');
    const view = this.#input.subarray(this.#offset, end);
    this.#offset = end;
    return view;
  }
  end(): void {
    if (this.#offset !== this.#input.length) throw new BorshError('trailing bytes');
  }
}

export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  return Buffer.concat(encodeInParts(codec, value));
}

/** For whoever joins the bytes with others: large byte strings are not copied, only referred to. */
export function encodeInParts<T>(codec: Codec<T>, value: T): readonly Uint8Array[] {
  const writer = new Writer();
  codec.write(writer, value);
  return writer.parts;
}

export function decode<T>(codec: Codec<T>, input: Uint8Array): T {
  const reader = new Reader(input);
  const value = codec.read(reader);
  reader.end();
  return value;
}

function integer(sizeBytes: 1 | 2 | 4): Codec<number> {
  return { write: (writer, value) => writer.integer(value, sizeBytes), read: (reader) => reader.integer(sizeBytes) };
}
export const u8 = integer(1);
export const u16 = integer(2);
export const u32 = integer(4);

export const u64: Codec<bigint> = {
  write(writer, value) {
    if (value < 0n || value >= 1n << 64n) throw new BorshError('integer out of range');
    const part = Buffer.alloc(8);
    part.writeBigUInt64LE(value);
    writer.bytes(part);
  },
  read: (reader) => reader.view(8).readBigUInt64LE(),
};

/** `[u8; sizeBytes]` */
export function fixed(sizeBytes: number): Codec<Uint8Array> {
  return {
    write(writer, value) {
      if (value.length !== sizeBytes) throw new BorshError('byte array has another size');
      writer.bytes(value);
    },
    read: (reader) => reader.view(sizeBytes),
  };
}

/** `Vec<u8>` */
export function bytes(maxBytes: number): Codec<Uint8Array> {
  return {
    write(writer, value) {
      writer.integer(atMost(value.length, maxBytes), 4);
      writer.bytes(value);
    },
    read: (reader) => reader.view(atMost(reader.integer(4), maxBytes)),
  };
}

export function text(maxBytes: number): Codec<string> {
  const inner = bytes(maxBytes);
  return {
    write: (writer, value) => inner.write(writer, Buffer.from(value, 'utf8')),
    read(reader) {
      const raw = inner.read(reader);
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
      } catch {
        throw new BorshError('text is not UTF-8');
      }
    },
  };
}

export function vec<T>(element: Codec<T>, maxLength: number): Codec<T[]> {
  return {
    write(writer, value) {
      writer.integer(atMost(value.length, maxLength), 4);
      for (const item of value) element.write(writer, item);
    },
    read: (reader) => Array.from({ length: atMost(reader.integer(4), maxLength) }, () => element.read(reader)),
  };
}

export function option<T>(inner: Codec<T>): Codec<T | null> {
  return {
    write(writer, value) {
      writer.integer(value === null ? 0 : 1, 1);
      if (value !== null) inner.write(writer, value);
    },
    read(reader) {
      const tag = reader.integer(1);
      if (tag > 1) throw new BorshError('option is neither none nor some');
      return tag === 0 ? null : inner.read(reader);
    },
  };
}

export const bool: Codec<boolean> = {
  write: (writer, value) => writer.integer(value ? 1 : 0, 1),
  read(reader) {
    const byte = reader.integer(1);
    if (byte > 1) throw new BorshError('bool is neither true nor false');
    return byte === 1;
  },
};

export function struct<const F extends Fields>(fields: F): Codec<ValueOf<F>> {
  const entries = Object.entries(fields);
  return {
    write(writer, value) {
      for (const [name, codec] of entries) codec.write(writer, value[name]);
    },
    read: (reader) => Object.fromEntries(entries.map(([name, codec]) => [name, codec.read(reader)])) as ValueOf<F>,
  };
}

/** An enum with data: `{ kind, …fields }`; the variants stand in the order of their numbers. */
export function variants<const V extends Readonly<Record<string, Fields>>>(schema: V): Codec<VariantOf<V>> {
  const kinds = Object.keys(schema);
  const codecs = Object.values(schema).map((fields) => struct(fields));
  return {
    write(writer, value) {
      const number = kinds.indexOf(String(value.kind));
      const codec = codecs[number];
      if (codec === undefined) throw new BorshError('unknown variant');
      writer.integer(number, 1);
      codec.write(writer, value);
    },
    read(reader) {
      const number = reader.integer(1);
      const codec = codecs[number];
      if (codec === undefined) throw new BorshError('unknown variant');
      return { kind: kinds[number], ...codec.read(reader) } as VariantOf<V>;
    },
  };
}

/** An enum without data, as the text that stands at its number. */
export function names<const N extends readonly string[]>(values: N): Codec<N[number]> {
  return {
    write: (writer, value) => writer.integer(values.indexOf(value), 1),
    read(reader) {
      const value = values[reader.integer(1)];
      if (value === undefined) throw new BorshError('unknown variant');
      return value;
    },
  };
}

function atMost(length: number, limit: number): number {
  if (length > limit) throw new BorshError('longer than the protocol allows');
  return length;
}
