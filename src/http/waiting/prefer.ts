// Reads the Prefer header (RFC 7240). What it does not know or cannot read it ignores, as the RFC asks: a preference
// never makes an error.

const WAIT_MAX_SECONDS = 30;

/** A list element; commas inside a quoted string do not end it. */
const ELEMENTS = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** A name, its value as token or quoted string, and parameters, of which no preference read here has any. */
const PREFERENCE = new RegExp(`^(${TOKEN})(?:[ \\t]*=[ \\t]*(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*(?:;.*)?$`);

/** How long the caller would wait for a final state, at most 30; undefined when it would not. */
export function preferredWaitSeconds(header: string | string[] | undefined): number | undefined {
  const value = firstPreference(header, 'wait');
  if (value === undefined || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value), WAIT_MAX_SECONDS);
}

/** Of a preference that is there several times only the first counts. Several headers are one list. */
function firstPreference(header: string | string[] | undefined, name: string): string | undefined {
  for (const element of [header ?? ''].flat().join(',').match(ELEMENTS) ?? []) {
    const [, found, token, quoted] = PREFERENCE.exec(element.trim()) ?? [];
    if (found?.toLowerCase() === name) return token ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '';
  }
  return undefined;
}
