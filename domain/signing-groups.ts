// How many signing operations go together. Forms no groups.

/**
 * Temporal takes a search attribute of 2 KB at most, and a group names the wallet of each member in one: 39 bytes each.
 * Its input and its results stay within 20 KB, far below the limits of a payload.
 */
export const GROUP_MEMBERS_MAX = 48;
