// How a payload is refused. Who reads one turns this into an error of its own.

/** `message` is one plain sentence: where the fault is and what it is. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
}

/**
 * `rest` begins with the place in the document, or with what is wrong with all of it: `.message.x is missing.`, ` is
 * too large.`
 */
export function typedDataError(rest: string): PayloadError {
  return new PayloadError(`typed_data${rest}`);
}
