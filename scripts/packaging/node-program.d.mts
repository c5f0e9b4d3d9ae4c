export function buildNodeProgram(root: string, commit?: string): string;
