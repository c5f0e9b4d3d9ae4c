export function buildNodeProgram(root: string): string;
