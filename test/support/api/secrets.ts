// Looks for secrets in texts, in every form in which a program might have written them.

/** As it is, and its bytes as hex and base64; of what is itself hex, base64 or PEM, the bytes behind it too. */
export function formsOf(secret: string): string[] {
  const texts = secret.includes('-----BEGIN') ? bodyLinesOf(secret) : [secret, secret.replace(/^(cs|whsec)_/, '')];
  const forms = texts.flatMap((text) => [text, ...[Buffer.from(text), ...decoded(text)].flatMap(writtenOut)]);
  return [...new Set(forms)].filter((form) => form.length >= 12);
}

const bodyLinesOf = (pem: string) => pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));

/** What it may be the text form of. */
function decoded(text: string): Buffer[] {
  if (/^([0-9a-f]{2})+$/i.test(text)) return [Buffer.from(text, 'hex')];
  return /^[\w+/-]{16,}=*$/.test(text) ? [Buffer.from(text, 'base64')] : [];
}

function writtenOut(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const base64 = bytes.toString('base64').replaceAll('=', '');
  return [hex, hex.toUpperCase(), base64, bytes.toString('base64url')];
}

/** The names of those secrets of which any form stands in the text. */
export function leaksIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).some((form) => text.includes(form)) ? [name] : [],
  );
}
