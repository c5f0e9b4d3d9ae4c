// Text as the bytes that are signed.
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** A lone surrogate has no UTF-8: it would be signed as another character. */
export const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

export const utf8Size = (text: string) => utf8ToBytes(text).length;
