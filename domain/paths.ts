// A derivation path as rows have it, `m/44/60/0/0/0`, as the numbers that a cluster derives by. What was accepted is one; `m` alone has no step.
export const pathOf = (text: string): number[] => text.split('/').slice(1).map(Number);
