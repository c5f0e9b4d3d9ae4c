// The text of an export: what the database wrote, with the lines of a CSV file ended as RFC 4180 has it, and how many
// rows it is. Reads and writes nothing.
const [QUOTE, RETURN, LINE] = [0x22, 0x0d, 0x0a];

/** Of a text that comes in pieces, cut anywhere. */
export interface LineForm {
  /** The piece as it stands in the file. */
  take(piece: Buffer): Buffer;
  /** Throws when the text does not end with a whole row. Answers how many rows it was. */
  end(): number;
  readonly rows: number;
}

/** One line a row, and no line feed but at its end. */
export class PlainLines implements LineForm {
  rows = 0;
  #last: number | undefined;

  take(piece: Buffer): Buffer {
    for (let at = piece.indexOf(LINE); at !== -1; at = piece.indexOf(LINE, at + 1)) this.rows += 1;
    this.#last = piece.at(-1) ?? this.#last;
    return piece;
  }

  end(): number {
    return wholeRows(this.rows, this.#last);
  }
}

/** A line feed outside of quotes ends a row; one within them is part of a cell. */
export class CsvLines implements LineForm {
  rows = 0;
  #quoted = false;
  #last: number | undefined;

  take(piece: Buffer): Buffer {
    const ends: number[] = [];
    let quote = piece.indexOf(QUOTE);
    // Two quotes in a cell stand for one, and leave it open as it was.
    const passQuotes = (until: number) => {
      for (; quote !== -1 && quote < until; quote = piece.indexOf(QUOTE, quote + 1)) this.#quoted = !this.#quoted;
    };
    for (let at = piece.indexOf(LINE); at !== -1; at = piece.indexOf(LINE, at + 1)) {
      passQuotes(at);
      if (!this.#quoted) ends.push(at);
    }
    passQuotes(piece.length);
    this.rows += ends.length;
    this.#last = piece.at(-1) ?? this.#last;
    return withReturns(piece, ends);
  }

  end(): number {
    if (this.#quoted) throw new Error('the text of an export ends within a cell');
    return wholeRows(this.rows, this.#last);
  }
}

function withReturns(piece: Buffer, ends: readonly number[]): Buffer {
  const text = Buffer.allocUnsafe(piece.length + ends.length);
  let [read, written] = [0, 0];
  for (const end of ends) {
    written += piece.copy(text, written, read, end);
    written = text.writeUInt8(RETURN, written);
    written = text.writeUInt8(LINE, written);
    read = end + 1;
  }
  piece.copy(text, written, read);
  return text;
}

function wholeRows(rows: number, last: number | undefined): number {
  if (last !== undefined && last !== LINE) throw new Error('the text of an export ends within a row');
  return rows;
}
