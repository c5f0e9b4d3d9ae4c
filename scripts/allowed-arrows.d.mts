export const layers: Record<string, readonly string[]>;
export const arrows: Record<string, Record<string, readonly string[]>>;
export function reachableFrom(layer: string, folder: string, found?: Set<string>): Set<string>;
