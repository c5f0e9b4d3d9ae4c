// A real server that speaks the protocol of S3 and verifies signatures, over a folder of this machine: versitygw, built
// with Go once. It listens on loopback alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { bucketClientOptions, type ExportBucketSettings } from '../../../domain/exports/export-bucket.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { buildGoProgram } from '../processes/go-program.ts';

const VERSITYGW = 'github.com/versity/versitygw';
const UP_WITHIN_MS = 30_000;

export interface S3Server {
  settings: ExportBucketSettings;
  /** With the rights of the settings. */
  client: S3Client;
  /** The files of the bucket as the server keeps them, by path. */
  files(): string[];
  /** Where the server keeps the bucket. */
  bucketDirectory: string;
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startS3Server(prefix = ''): Promise<S3Server> {
  const program = await buildGoProgram(resolve('.local'), {
    name: 'versitygw',
    modules: { [VERSITYGW]: 'v1.8.0' },
    package: { path: `${VERSITYGW}/cmd/versitygw` },
  });
  const root = mkdtempSync(join(tmpdir(), 'countersign-s3-'));
  for (const folder of ['data', 'meta']) mkdirSync(join(root, folder));
  const port = await findFreePort();
  const settings: ExportBucketSettings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'countersign-exports',
    prefix,
    pathStyle: true,
    accessKeyId: 'the-operator',
    secretAccessKey: 'a secret of the operator',
  };
  let server: ChildProcess;
  const resume = async () => {
    const args = ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', join(root, 'meta')];
    server = spawn(program, [...args, join(root, 'data')], {
      env: { ROOT_ACCESS_KEY: settings.accessKeyId, ROOT_SECRET_KEY: settings.secretAccessKey },
      stdio: 'ignore',
    });
    for (const until = Date.now() + UP_WITHIN_MS; Date.now() < until; ) {
      const isUp = await fetch(settings.endpoint).then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error('the S3 server did not come up');
  };
  const pause = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  await resume();
  const client = new S3Client(bucketClientOptions(settings));
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  const bucketDirectory = join(root, 'data', settings.bucket);
  return {
    settings,
    client,
    files: () =>
      readdirSync(bucketDirectory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(bucketDirectory.length + 1)),
    bucketDirectory,
    pause,
    resume,
    stop: async () => {
      client.destroy();
      await pause();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
