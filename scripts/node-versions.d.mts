export const VERSIONS: { 22: string; 24: string };
export function installNode(version: string): string;
