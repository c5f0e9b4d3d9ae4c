// What can go wrong for a caller: the service did not answer, it refused, an operation failed, it was not final in
// time, or a webhook was not its own.

/** No answer: nothing is known of what became of the request. The cause is what `fetch` threw. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';

  constructor(baseUrl: string, cause: unknown) {
    super(`${baseUrl} did not answer.`, { cause });
  }
}

/** An answer of the service that is no success. */
export class CountersignError extends Error {
  override name = 'CountersignError';
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** What to quote to whoever runs the service. */
  readonly requestId: string | undefined;
  /** The header as it came: seconds or a date. */
  readonly retryAfter: string | undefined;

  constructor(status: number, code: string, message: string, headers: Headers) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = headers.get('retry-after') ?? undefined;
  }
}

/** One item of a batch was refused. */
export class ItemRefusedError extends Error {
  override name = 'ItemRefusedError';
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** The operation was accepted and has ended without success. */
export class OperationFailedError<Operation = unknown> extends Error {
  override name = 'OperationFailedError';
  readonly operationId: string;
  readonly statusReason: string | undefined;
  readonly errorCode: string | undefined;
  readonly errorReason: string | undefined;
  /** As the service shows it. */
  readonly operation: Operation;

  constructor(operationId: string, operation: Operation & FailureFields) {
    const reasons = [operation.status_reason, operation.error_code, operation.error_reason];
    super(`The operation ${operationId} failed: ${reasons.filter(Boolean).join(', ') || 'no reason is given'}.`);
    this.operationId = operationId;
    this.operation = operation;
    this.statusReason = operation.status_reason;
    this.errorCode = operation.error_code;
    this.errorReason = operation.error_reason;
  }
}

interface FailureFields {
  status_reason?: string;
  error_code?: string;
  error_reason?: string;
}

/** The operation is still open and goes on; wait for it again by its id. */
export class OperationOpenError extends Error {
  override name = 'OperationOpenError';
  readonly operationId: string;

  /** `seen`: what the service showed of it last. */
  constructor(operationId: string, withinMs: number, seen: OpenFields = {}) {
    const reason = seen.status_reason ? ` (${seen.status_reason})` : '';
    const state = seen.status ? `: it is ${seen.status}${reason}` : '';
    super(`The operation ${operationId} was not final within ${withinMs / 1000} s${state}.`);
    this.operationId = operationId;
  }
}

interface OpenFields {
  status?: string;
  status_reason?: string | null;
}

/** What came as a webhook is not proven to be from the service, or is not from now. */
export class WebhookRefusedError extends Error {
  override name = 'WebhookRefusedError';
}
