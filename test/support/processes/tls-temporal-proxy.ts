// A Temporal frontend that wants TLS: an HTTP/2 server with a certificate of its own, which asks for a client
// certificate where it is told to, in front of the shared development server. It notes the API keys that came with
// calls.
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates.ts';

export interface TemporalTlsProxy {
  address: string;
  /** Of each call, in their order. */
  authorizations: (string | undefined)[];
  close(): Promise<void>;
}

export async function startTemporalTlsProxy(
  target: string,
  own: Certificate,
  clientAuthority?: string,
): Promise<TemporalTlsProxy> {
  const authorizations: (string | undefined)[] = [];
  const upstream = http2.connect(`http://${target}`);
  upstream.on('error', () => {});
  const server = http2.createSecureServer({
    ...own,
    ...(clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }),
  });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    authorizations.push(headers.authorization);
    stream.on('error', () => {});
    const call = upstream.request({ ...headers, ':authority': target });
    call.on('error', () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
    stream.on('close', () => call.close());
    let trailers: http2.IncomingHttpHeaders = {};
    call.on('trailers', (received) => {
      trailers = received;
    });
    call.on('response', ({ ':status': status, ...answered }, flags) => {
      if (stream.destroyed) return;
      const isWhole = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond({ ':status': status ?? 200, ...answered }, { waitForTrailers: !isWhole, endStream: isWhole });
      if (!isWhole) call.pipe(stream);
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations,
    close: async () => {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
