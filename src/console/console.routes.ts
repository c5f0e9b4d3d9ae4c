// The files of the console and of the reference, served from memory: no path of a request reaches the file system.
// Every address of the console that is no file gets its page, which shows what the address says; the reference has its
// own page, whose other files are the console's. Knows nothing of what the pages do.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/errors.ts';
import { CONSOLE, REFERENCE } from '../http/security-headers.ts';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;
const PAGE = 'index.html';
const REFERENCE_PAGE = 'reference.html';
/** A page for each operation and for each event of the document. */
const REFERENCE_ADDRESSES = ['', '/', '/operations/:operation', '/events/:event'];
/** Files whose names say what is in them, so that a browser never asks for one again. */
const NAMED_BY_CONTENT = 'assets/';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compress = promisify(gzip);

class File {
  readonly type: string;
  readonly #content: Buffer;
  #compressed: Promise<Buffer> | undefined;

  constructor(path: string, content: Buffer) {
    this.type = types[extname(path)] ?? 'application/octet-stream';
    this.#content = content;
  }

  /** Compressed once, when the first browser asks. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.type(this.type).header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(this.#content);
    this.#compressed ??= compress(this.#content);
    return reply.header('content-encoding', 'gzip').send(await this.#compressed);
  }
}

/** Without a built console there are no such routes. */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  const files = readFiles(consoleFolder());
  const page = files.get(PAGE);
  const reference = files.get(REFERENCE_PAGE);
  if (page === undefined || reference === undefined) return;
  const shown = { config: { public: true as const }, schema: { hide: true } };

  const sendPage = (file: File) => (request: FastifyRequest, reply: FastifyReply) =>
    file.send(request, reply.header('cache-control', 'no-cache'));

  for (const address of REFERENCE_ADDRESSES) app.get(REFERENCE + address, shown, sendPage(reference));
  app.get(CONSOLE, shown, sendPage(page));
  app.get<{ Params: { '*': string } }>(`${CONSOLE}/*`, shown, async (request, reply) => {
    const path = request.params['*'];
    const file = files.get(path);
    if (file === undefined && path.startsWith(NAMED_BY_CONTENT))
      throw new ApiError('not_found', 'The console has no such file: load the page again.');
    if (file === undefined || file === reference) return sendPage(page)(request, reply);
    const seconds = path.startsWith(NAMED_BY_CONTENT) ? ONE_YEAR_SECONDS : 0;
    reply.header('cache-control', seconds === 0 ? 'no-cache' : `public, max-age=${seconds}, immutable`);
    return file.send(request, reply);
  });
}

/** Beside the programs in dist/, also for the sources. */
function consoleFolder(): string {
  const isSource = import.meta.url.endsWith('/console.routes.ts');
  return fileURLToPath(new URL(isSource ? '../../dist/console/' : './console/', import.meta.url));
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  const entries = namesIn(folder);
  return new Map(entries.map((path) => [path, new File(path, readFileSync(join(folder, path)))]));
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
