// Reads a Parquet file by Apache Arrow's own reader (its Rust implementation as WebAssembly), which shares nothing with
// the library that the product writes by. Values come as lines of JSONL have them.
import { tableFromIPC } from 'apache-arrow';
import { ParquetFile, readParquet as readTable } from 'parquet-wasm';

export interface ReadParquet {
  columns: { name: string; type: string }[];
  rows: Record<string, unknown>[];
  rowGroups: number;
}

export async function readParquet(file: Uint8Array): Promise<ReadParquet> {
  const table = tableFromIPC(readTable(file).intoIPCStream());
  const opened = await ParquetFile.fromFile(new Blob([Buffer.from(file)]));
  const fields = table.schema.fields.map(({ name, type }) => ({ name, type: String(type) }));
  const rows = Array.from({ length: table.numRows }, (_, place) => {
    const row = table.get(place);
    return Object.fromEntries(fields.map(({ name, type }) => [name, valueOf(row?.[name], type)]));
  });
  return { columns: fields, rows, rowGroups: opened.metadata().numRowGroups() };
}

function valueOf(value: unknown, type: string): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && type.startsWith('Timestamp') ? new Date(value).toISOString() : value;
}
