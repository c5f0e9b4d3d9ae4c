// What came of one item of a batch: the operation that it became, or why it was refused.
export type BatchOutcome = { signingId: string } | { code: string; message: string };
