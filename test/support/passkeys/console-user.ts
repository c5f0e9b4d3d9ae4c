// Somebody at the console: enrolled by an operator's link, with a passkey in software, and signed in over HTTP as the
// page does it. What the page never does a test says with the headers.
import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Role } from '../../../domain/users/roles.ts';
import { insertUser } from '../../../drizzle/users/users.ts';
import { createEnrolmentLink } from '../../../src/commands/create-enrolment-link.ts';
import type { Answer, TestApi } from '../api/api.ts';
import { keyEncryptionKey, testSealing } from '../rows/seals.ts';
import { type Answered, SoftwarePasskey } from './software-passkey.ts';

export const ORIGIN = 'http://localhost:8150';
const SESSION = '/console/session';

export type PasskeyAnswer = Answered & { ticket: string };

export interface Asked {
  ticket: string;
  challenge: string;
}

export interface Vote {
  subject: 'withdrawal' | 'signing_request' | 'policy' | 'address' | 'authority_change';
  subject_id: string;
  digest: string;
  decision: 'approved' | 'rejected';
}

export interface SentAs {
  headers?: Record<string, string | undefined>;
  at?: FastifyInstance;
}

/** One browser: what it sends is of the console's page, unless a test says otherwise. */
export class ConsoleUser {
  readonly api: TestApi;
  readonly userId: string;
  passkey = new SoftwarePasskey(ORIGIN);
  cookie: string | undefined;
  /** Of its own, since each address may try so often and no more. */
  address = `10.${randomInt(255)}.${randomInt(255)}.${randomInt(1, 255)}`;

  constructor(api: TestApi, userId: string) {
    this.api = api;
    this.userId = userId;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, at = this.api.app }: SentAs = {},
  ): Promise<Answer> {
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
      'x-countersign-console': '1',
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
      ...headers,
    };
    const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
    const response = await at.inject({
      method: method as 'GET',
      url: path,
      remoteAddress: this.address,
      headers: Object.fromEntries(sent),
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  }

  /** By a link: makes the passkey. */
  async enrol(token: string, passkey = this.passkey): Promise<Answer> {
    const asked = await this.send('POST', `${SESSION}/enrolment-challenge`, { token });
    if (asked.status !== 200) return asked;
    const { ticket, options } = asked.body.data;
    const registration = passkey.register(options.challenge);
    return this.send('POST', `${SESSION}/enrolment`, { token, ticket, registration, name: 'test' });
  }

  async askToSignIn(): Promise<Asked> {
    return (await this.send('POST', `${SESSION}/challenge`)).body.data;
  }

  async signIn(options: SentAs = {}): Promise<Answer> {
    const { ticket, challenge } = await this.askToSignIn();
    const answer = { ticket, ...this.passkey.answer(challenge) };
    return this.signInWith(answer, options);
  }

  async signInWith(answer: PasskeyAnswer, options: SentAs = {}): Promise<Answer> {
    const user_handle = Buffer.from(this.userId).toString('base64url');
    const signedIn = await this.send('POST', SESSION, { answer, user_handle }, options);
    const [cookie] = String(signedIn.headers['set-cookie'] ?? '').split(';');
    if (signedIn.status === 201) this.cookie = cookie;
    return signedIn;
  }

  /** What a passkey is to sign to say this. */
  async askToVote(vote: Vote): Promise<Asked> {
    return (await this.send('POST', `${SESSION}/votes/challenge`, vote)).body.data;
  }

  async prove(vote: Vote): Promise<PasskeyAnswer> {
    const { ticket, challenge } = await this.askToVote(vote);
    return { ticket, ...this.passkey.answer(challenge) };
  }
}

/** An active user of the workspace with these roles, enrolled and signed in. */
export async function makeConsoleUser(
  api: TestApi,
  roles: readonly Role[],
  workspaceId = api.workspaceId,
): Promise<ConsoleUser> {
  const id = uuidv7();
  await api.db.transaction((tx) =>
    insertUser(tx, testSealing, { id, workspaceId, name: `console ${roles.join()}`, createdBy: 'test' }),
  );
  const user = new ConsoleUser(api, id);
  const enrolled = await user.enrol(await makeToken(api, id, roles, workspaceId));
  if (enrolled.status !== 201) throw new Error(`nobody was enrolled: ${JSON.stringify(enrolled.body)}`);
  const signedIn = await user.signIn();
  if (signedIn.status !== 201) throw new Error(`nobody signed in: ${JSON.stringify(signedIn.body)}`);
  return user;
}

/** The token of an operator's link. */
export async function makeToken(
  api: TestApi,
  userId: string,
  roles: readonly Role[] | undefined,
  workspaceId = api.workspaceId,
): Promise<string> {
  const asked = { workspaceId, userId, roles, consoleOrigin: ORIGIN };
  const link = await createEnrolmentLink(api.db, asked, { keyEncryptionKey, action: 'workspace create-link' });
  return tokenOf(link?.url ?? '');
}

export const tokenOf = (url: string): string => url.split('#')[1] ?? '';
