// What the audit log says of a request: from where, which one, what it asked for. Never a header, and a body only when
// it has the shape that its route asks for: what is malformed may hold a secret in the wrong place.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { redactedJson } from '../../domain/audit/audit-redaction.ts';
import type { Json } from '../../domain/canonical-json.ts';
import { type AuditFacts, KEPT_MAX_BYTES, type NewAuditEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import type { SealedVersion } from '../../drizzle/seals/seals.ts';
import { clientAddress } from '../http/client-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** As in the access table: `POST /wallets/{wallet_id}/freeze`. Absent outside /api/v1. */
    rule?: string;
  }
  interface FastifyRequest {
    /** Whether parameters, query and body have the shape that the route asks for. */
    isValidated: boolean;
  }
}

/** What a write says beside its result. */
export interface AuditDetails {
  /** What is changed as it was, and as it is: without any secret. */
  before?: object;
  /** The result when absent; undefined when nothing is left. */
  after?: object | undefined;
  walletId?: string | undefined;
  /** Of each row that is sealed with its version: which, and what it has now. */
  sealed?: readonly SealedVersion[];
}

/** Of a write that is accepted: in its transaction. */
export function acceptedEntry(request: FastifyRequest, resourceId: string, noted: AuditDetails): NewAuditEntry {
  const { key } = request.caller;
  return {
    ...describe(request),
    workspaceId: key.workspaceId,
    actorId: key.id,
    outcome: 'accepted',
    resourceId,
    walletId: noted.walletId ?? idOf(request, 'wallet_id'),
    before: noted.before === undefined ? null : toKeptText(noted.before),
    after: noted.after === undefined ? null : toKeptText(noted.after),
  };
}

/** Of a request that is refused. */
export function refusedFacts(request: FastifyRequest, statusCode: number, code: string): AuditFacts {
  const names = Object.keys(request.params ?? {});
  const resource = names.find((name) => name !== 'workspace_id' && name !== 'wallet_id') ?? 'wallet_id';
  return {
    ...describe(request),
    outcome: 'refused',
    statusCode,
    code,
    resourceId: idOf(request, resource),
    walletId: idOf(request, 'wallet_id'),
  };
}

function describe(request: FastifyRequest) {
  const { rawBody, body, isValidated, routeOptions, id } = request;
  const isKept = rawBody.length > 0 && rawBody.length <= KEPT_MAX_BYTES && isValidated && typeof body === 'object';
  return {
    actor: 'api_key' as const,
    ip: clientAddress(request)?.toString() ?? null,
    requestId: id,
    action: routeOptions.config.rule ?? '',
    bodyHash: rawBody.length === 0 ? null : createHash('sha256').update(rawBody).digest('hex'),
    body: isKept ? redactedJson(body as Json) : null,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null for what is no id: a path may hold anything. */
function idOf({ params }: FastifyRequest, name: string): string | null {
  const value = ((params ?? {}) as Record<string, string | undefined>)[name]?.toLowerCase();
  return value !== undefined && UUID.test(value) ? value : null;
}
