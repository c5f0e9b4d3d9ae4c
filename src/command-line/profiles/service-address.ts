// Checks the address of the service. Whoever stands between could answer with an address of his own to pay to, so that
// only a service on this machine is spoken to without TLS, unless the profile says otherwise.
import { UsageError } from '../exit-codes.ts';
import { visible } from '../visible-text.ts';

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

export function checkBaseUrl(text: string, { allowHttp }: { allowHttp: boolean }): string {
  const url = parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new UsageError('The address of the service is no http or https address, as in https://countersign.example.');
  // Never shown: it may hold a password.
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The address of the service has a user or a password in it: leave them out.');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new UsageError(`The address of the service ends with its host and port: ${visible(url.origin)}.`);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowHttp)
    throw new UsageError(
      `${visible(url.origin)} is spoken to without TLS, and whoever stands between can change every answer: use https, or allow it (\`allow_http\` of the profile, COUNTERSIGN_ALLOW_HTTP=1).`,
    );
  return url.origin;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
