// A derivation path as rows have it, `m/44/60/0/0/0`, and as the numbers that a cluster derives by; `m` alone has no step.
// What callers send is read and checked in src/signing-requests/derivation-path.ts before it becomes one.

export const formatPath = (path: readonly number[]): string => ['m', ...path].join('/');

export const pathOf = (text: string): number[] => text.split('/').slice(1).map(Number);
