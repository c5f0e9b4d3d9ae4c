// How much of what is signed is shown beside other things.

/** What is longer is left out of lists, events and answers to what was just asked for: it is read by itself. */
export const SHOWN_BYTES_MAX = 4096;
