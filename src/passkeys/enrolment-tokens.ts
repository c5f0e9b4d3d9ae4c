// The token of an enrolment link, which only whoever makes the link is shown, and the address that carries it. Behind
// the `#`, so that no server and no log sees it.
import { randomBytes } from 'node:crypto';
import { CONSOLE } from '../http/security-headers.ts';

export const generateEnrolmentToken = (): string => randomBytes(32).toString('base64url');

export const enrolmentUrl = (origin: string, token: string): string => `${origin}${CONSOLE}/enrol#${token}`;
