// The address that a request comes from. Behind proxies the last hops of X-Forwarded-For are theirs to write; what
// stands before them is the caller's word and counts for nothing.
import type { FastifyRequest } from 'fastify';
import { type Address, parseAddress } from './ip-ranges.ts';

/** For Fastify's `trustProxy`. A plain number would not do: Fastify trusts nobody then. */
export const trustHops = (hops: number) => (hops === 0 ? false : (_address: string, hop: number) => hop < hops);

/** Undefined when a proxy wrote no plain address. */
export const clientAddress = (request: FastifyRequest): Address | undefined => parseAddress(request.ip ?? '');
