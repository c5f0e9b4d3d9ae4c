export function productNode(
  environment: Record<string, string | undefined>,
  own?: string,
  versionOf?: (path: string) => string,
): string;
