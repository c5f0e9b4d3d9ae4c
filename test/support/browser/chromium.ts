// A real Chromium, driven by Playwright, with pages that reach nothing but the service under test. Debian's program is
// installed where one may; where there is none, a test says so and is left out.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const execute = promisify(execFile);
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Installs it where that is possible: as root, on Debian. Only in CI, so that no test changes a machine unasked. */
export async function findChromium(): Promise<{ program: string } | { missing: string }> {
  const found = onPath();
  if (found !== undefined) return { program: found };
  if (process.env['CI'] !== 'true' || process.getuid?.() !== 0) return { missing: 'there is no chromium on the PATH' };
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await execute('apt-get', ['update'], { env: environment });
    await execute('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], { env: environment });
  } catch (error) {
    return { missing: `chromium cannot be installed: ${(error as Error).message.split('\n')[0]}` };
  }
  const installed = onPath();
  return installed === undefined
    ? { missing: 'chromium was installed, and is not on the PATH' }
    : { program: installed };
}

export interface TestBrowser {
  browser: Browser;
  /** A window of its own, without anything of another. Every request that goes elsewhere, and every error, is kept. */
  open(baseUrl: string, options?: BrowserContextOptions): Promise<BrowserContext & Watched>;
  close(): Promise<void>;
}

export interface Watched {
  /** Requests to anybody else. */
  strangers: string[];
  /** What the pages said went wrong, such as a breach of their policy. */
  complaints: string[];
}

export async function startBrowser(program: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });
  return {
    browser,
    open: async (baseUrl, options = {}) => {
      const context = await browser.newContext({ baseURL: baseUrl, ...options });
      const watched: Watched = { strangers: [], complaints: [] };
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(baseUrl) && !url.startsWith('data:') && !url.startsWith('blob:'))
          watched.strangers.push(url);
      });
      context.on('weberror', (error) => void watched.complaints.push(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error') watched.complaints.push(message.text());
      });
      return Object.assign(context, watched);
    },
    close: () => browser.close(),
  };
}
