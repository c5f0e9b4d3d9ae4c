// An approver as small as one can be, and a pattern for a real one: it reads the command that it is to sign, with the
// schemas of the node protocol, and signs what it agrees with. It has a key of its own and trusts nothing that it is
// told about the content.
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode } from '../../../activities/mpc/transport/borsh.ts';
import { type Command, command } from '../../../activities/mpc/transport/wire.ts';

export interface TestApprover {
  url: string;
  /** 32 bytes of hex, as a node's policy names it. */
  publicKey: string;
  asked: Command[];
  stop(): Promise<void>;
}

const LABEL = Buffer.from('countersign/v1/approval');

export async function startApprover(agrees: (asked: Command) => boolean): Promise<TestApprover> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const asked: Command[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = Buffer.from((JSON.parse(await read(request)) as { command: string }).command, 'hex');
    const shown = decode(command, bytes);
    asked.push(shown);
    if (!agrees(shown)) return void response.writeHead(403).end();
    const approval = sign(null, Buffer.concat([LABEL, bytes]), privateKey).toString('hex');
    return void response.end(JSON.stringify({ approval }));
  };
  // Who sends what cannot be read gets no answer.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    publicKey: Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url').toString('hex'),
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
