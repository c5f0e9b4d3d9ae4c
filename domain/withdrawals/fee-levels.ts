// How soon a transaction should be in a block, as callers say it.
export const feeLevels = ['low', 'medium', 'high'] as const;
export type FeeLevel = (typeof feeLevels)[number];
