// Walks a paged list by the cursor that each page leads to. Asks for the next page only when its rows are wanted.
import type { Answer } from './transport.ts';

export async function* eachRow<Row>(
  readPage: (cursor: string | undefined) => Promise<Answer>,
): AsyncGenerator<Row, void> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* page.data as Row[];
    cursor = page.headers.get('x-next-cursor') ?? undefined;
  } while (cursor !== undefined);
}
