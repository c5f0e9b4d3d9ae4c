// The Parquet form of an export: rows that come as lines of JSON, cut anywhere, become row groups as soon as there is
// enough for one, and the footer comes at the end. Only one group is in memory, and what the footer says of those
// before. Runs in a thread of its own (parquet-thread.ts), since it computes for long. Reads and writes nothing.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnType, columnsOf } from '../../domain/exports/export-columns.ts';
import type { ExportContent } from '../../domain/exports/export-contents.ts';

const LINE = 0x0a;
const CREATED_BY = 'countersign';
/**
 * How much text is a row group, whose values take some times as much in memory, and how many the footer tells of. The
 * groups of a long file become larger, since what the footer says of each is in memory until the end.
 */
const defaults = { groupTextBytes: 2 ** 20, doubledAfterGroups: 250, groupsMax: 1_000 };
/** Of the texts of a column, before there are any, and of a UTF-16 code unit at most. */
const [FIRST_BYTES, UTF8_BYTES_MAX] = [16 * 1024, 3];
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** As which type of Parquet a column stands in the file. Amounts have more digits than its decimal numbers. */
const physicalTypes: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  id: text,
  text,
  enum: text,
  amount: text,
  json: text,
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  moment: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** There are more rows than the footer can tell of in the memory that it may take. */
export class TooManyRowsError extends Error {}

export class ParquetRows {
  rows = 0;
  readonly #columns: readonly Column[];
  readonly #file = new TakenWriter();
  readonly #writer: ParquetWriter;
  /** The beginning of a line whose end has not come. */
  #rest: Buffer = Buffer.alloc(0);
  #groupTextBytes = 0;
  #groupRows = 0;
  readonly #limits: typeof defaults;

  constructor(content: ExportContent, limits: Partial<typeof defaults> = {}) {
    this.#limits = { ...defaults, ...limits };
    this.#columns = columnsOf(content).map(({ name, type }) => ({
      name,
      type,
      values: physicalTypes[type] === text ? new TextValues() : new OtherValues(type),
    }));
    const leaves = this.#columns.map(
      ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...physicalTypes[type] }),
    );
    const schema = [{ name: 'root', num_children: leaves.length }, ...leaves];
    this.#writer = new ParquetWriter({ writer: this.#file, schema, createdBy: CREATED_BY });
  }

  /** Answers what of the file can be written now, and keeps nothing of the piece. Throws TooManyRowsError. */
  take(piece: Uint8Array): Uint8Array {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const known = this.#rest.length === 0 ? text : Buffer.concat([this.#rest, text]);
    const end = known.lastIndexOf(LINE) + 1;
    this.#rest = Buffer.from(known.subarray(end));
    if (end > 0) for (const line of known.toString('utf8', 0, end - 1).split('\n')) this.#add(line);
    this.#groupTextBytes += end;
    const { groupTextBytes, doubledAfterGroups } = this.#limits;
    const doubled = Math.floor(this.#writer.row_groups.length / doubledAfterGroups);
    if (this.#groupTextBytes >= groupTextBytes * 2 ** doubled) this.#endGroup();
    return this.#file.takeBytes();
  }

  /** The rest of the file. Throws when the text does not end with a whole row. */
  end(): Uint8Array {
    if (this.#rest.length > 0) throw new Error('the text of an export ends within a row');
    this.#endGroup();
    void this.#writer.finish();
    const bytes = this.#file.takeBytes();
    return this.rows === 0 ? withTypedEmptyList(bytes) : bytes;
  }

  #add(line: string): void {
    const row = JSON.parse(line) as Record<string, unknown>;
    for (const { name, values } of this.#columns) values.add(row[name]);
    this.rows += 1;
    this.#groupRows += 1;
  }

  #endGroup(): void {
    const rowGroupSize = this.#groupRows;
    if (rowGroupSize > 0) {
      if (this.#writer.row_groups.length === this.#limits.groupsMax) throw new TooManyRowsError();
      const columnData = this.#columns.map(({ name, type, values }) => ({
        name,
        // The library asks for one column after the other, and lets each go before the next.
        get data() {
          return values.all();
        },
        offsetIndex: false,
        // Of texts they would help nobody to skip a group, and the footer has them in memory until the end.
        statistics: type === 'integer' || type === 'moment',
      }));
      void this.#writer.write({ columnData, rowGroupSize });
    }
    for (const { values } of this.#columns) values.clear();
    this.#groupRows = 0;
    this.#groupTextBytes = 0;
  }
}

interface Column {
  name: string;
  type: ColumnType;
  values: TextValues | OtherValues;
}

/**
 * The texts of a column in a row group, as bytes one behind the other: as values of their own, and then as the bytes
 * that the library would make of each, they took some times as much.
 */
class TextValues {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #end = 0;
  /** Where each ends; -1 of what is not there. */
  #ends: number[] = [];

  add(value: unknown): void {
    if (typeof value !== 'string') {
      this.#ends.push(-1);
      return;
    }
    this.#makeRoom(value.length * UTF8_BYTES_MAX);
    this.#end += this.#bytes.write(value, this.#end);
    this.#ends.push(this.#end);
  }

  #makeRoom(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  /** They are views of bytes that what is added after `clear` overwrites. */
  all(): (Uint8Array | null)[] {
    let start = 0;
    return this.#ends.map((end) => {
      if (end === -1) return null;
      const value = this.#bytes.subarray(start, end);
      start = end;
      return value;
    });
  }

  clear(): void {
    this.#end = 0;
    this.#ends = [];
  }
}

class OtherValues {
  readonly #type: ColumnType;
  #values: unknown[] = [];

  constructor(type: ColumnType) {
    this.#type = type;
  }

  add(value: unknown): void {
    this.#values.push(valueOf(value, this.#type));
  }

  all(): unknown[] {
    return this.#values;
  }

  clear(): void {
    this.#values = [];
  }
}

function valueOf(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'integer') return BigInt(value as number);
  return type === 'moment' ? new Date(value as string) : value;
}

/**
 * The library writes an empty list of row groups without the type of its elements, which strict readers (Apache
 * Arrow's in Rust) refuse. What stands around it in a footer is: no rows, the list, and the name of the program.
 */
function withTypedEmptyList(bytes: Uint8Array): Uint8Array {
  const [NO_ROWS, LIST_FIELD, PROGRAM_FIELD, STRUCTS] = [[0x16, 0x00], 0x19, 0x28, 0x0c];
  const untyped = Buffer.from([...NO_ROWS, LIST_FIELD, 0x00, PROGRAM_FIELD, CREATED_BY.length]);
  const at = Buffer.from(bytes).indexOf(untyped);
  if (at === -1) throw new Error('the footer of an empty Parquet file has another form than is known');
  return bytes.with(at + NO_ROWS.length + 1, STRUCTS);
}

/** Hands on what was written since the last time, and goes on counting from where the file is. */
class TakenWriter extends ByteWriter {
  takeBytes(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}
