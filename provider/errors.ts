/** Stable codes of everything that this provider reports; they never change meaning between releases. */
export type ErrorCode =
  /** No API key, or no tenant where one is needed. */
  | "missing_credentials"
  /** The control plane answered 401 or 403. */
  | "refused_credentials"
  /** The connection settings contradict themselves or cannot be read. */
  | "bad_configuration"
  /** Manifests that cannot be read or are not right; the message tells each place. */
  | "bad_manifest"
  /** The configuration points to another control plane than the one in state. */
  | "moved_control_plane"
  /** No answer: name resolution, connection, TLS or time-out. */
  | "connection_failed"
  /** The control plane understood the request and refused it (400, 404, 409, 422, …). */
  | "request_refused"
  /** The control plane failed (5xx) or asked to slow down (429) for longer than the retries last. */
  | "server_failed"
  /** An answer that does not have the documented shape. */
  | "unexpected_answer"
  /** A deployment of that name exists and may not be taken over. */
  | "name_conflict"
  /** The deployment is not there any more. */
  | "deployment_gone"
  /** Somebody else made a newer revision and `rollout.onConflict` is `fail`. */
  | "foreign_revision"
  /** A field that was left to the server is now given, but with another value than the server's. */
  | "immutable_field"
  /** The revision ended in a status that contains FAILED. */
  | "rollout_failed"
  /** The revision is DEPLOYED, but is not what `rollout.verify` asks for. */
  | "verification_failed"
  /** The revision did not settle before the deadline. */
  | "rollout_timeout"
  /** A mistake inside the provider. */
  | "internal";

/** Facts that an error carries as fields, as far as they are known. */
export interface ErrorFacts {
  /** HTTP status. */
  status?: number;
  /** Method and path of the request, for example `PATCH /v2/deployments/…`. */
  request?: string;
  /** The server's own id of the request, from its answer's headers. */
  requestId?: string;
  deploymentId?: string;
  revisionId?: string;
  /** The revision's last seen status. */
  revisionStatus?: string;
  /** The `detail` of the server's answer. */
  detail?: string;
  /** Whether the request surely never reached the server, so that repeating it cannot do harm. */
  notTaken?: boolean;
  /** Whether the request would fail in the same way if it were sent again. */
  final?: boolean;
  /** Time the server asked to wait, in milliseconds. */
  retryAfterMs?: number;
}

const brand = Symbol.for("pulumi-agentserver/error");

/** Root of all errors of this package; tell them apart by `code`. */
export class AgentServerError extends Error {
  override readonly name = "AgentServerError";
  readonly [brand] = true;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: ErrorFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the service knows no such thing (404). */
  get isMissing(): boolean {
    return this.facts.status === 404;
  }

  /** Whether what the request wants contradicts what is there (409). */
  get isConflict(): boolean {
    return this.facts.status === 409;
  }

  /** Whether the server cannot make sense of the request (422). */
  get isInvalid(): boolean {
    return this.facts.status === 422;
  }

  /** Whether the credentials are refused, or do not allow this (401, 403). */
  get isDenied(): boolean {
    return this.code === "refused_credentials";
  }

  /** Whether the server understood the request and will not do that (400, 409, 422). */
  get isRefused(): boolean {
    return [400, 409, 422].includes(this.facts.status ?? 0);
  }

  /** Whether the server does not have such an operation (404, 405, 501), or not for this very thing. */
  get isUnsupported(): boolean {
    return [404, 405, 501].includes(this.facts.status ?? 0);
  }

  /** Whether the same request may well succeed later: no answer, or one of a server that fails or is overloaded. */
  get isPassing(): boolean {
    return this.code === "connection_failed" || this.code === "server_failed";
  }

  /** Works over several copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is AgentServerError {
    return typeof error === "object" && error !== null && brand in error;
  }
}

/** Any thrown value as an error with a message: `throw undefined` must not reach the engine. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error && isText(thrown.message)) return thrown;
  const told = thrown instanceof Error ? thrown.name : describeThrown(thrown);
  return new AgentServerError("internal", told, {}, { cause: thrown });
}

function describeThrown(thrown: unknown): string {
  if (isText(thrown)) return thrown;
  const message: unknown = (thrown as { message?: unknown } | null | undefined)?.message;
  if (isText(message)) return message;
  try {
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- What is not an object is shown as what it is.
    const text = typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown);
    return `a value was thrown: ${text}`;
  } catch {
    return "a value was thrown that cannot be shown";
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
