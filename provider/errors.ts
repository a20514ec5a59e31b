/** The codes of all errors, each with its section in docs/errors.md. */
export const errorCodes = [
  /** No API key, or no workspace where one is needed. */
  "missing_credentials",
  /** The service answered 401 or 403. */
  "refused_credentials",
  /** Settings, inputs or files that contradict each other or cannot be used. */
  "bad_configuration",
  /** Manifests that cannot be read or are invalid; the message lists each fault with its place. */
  "bad_manifest",
  /** The configuration points to another control plane, or workspace, than the state. */
  "moved_control_plane",
  /** No answer: name resolution, connection, TLS or timeout. */
  "connection_failed",
  /** The service understood the request and refused it (400, 404, 409, 422, …). */
  "request_refused",
  /** The service failed (5xx) or asked for fewer requests (429) for longer than the retries last. */
  "server_failed",
  /** An answer that does not have the documented shape. */
  "unexpected_answer",
  /** The name is taken, or the deployment belongs to another resource. */
  "name_conflict",
  /** The deployment does not exist, or does not exist any more. */
  "deployment_gone",
  /** Another resource, such as an assistant, a cron or an item, does not exist any more. */
  "resource_gone",
  /** Somebody else made a newer revision, and `rollout.onConflict` is `fail`. */
  "foreign_revision",
  /** A field cannot be changed to the wanted value in place. */
  "immutable_field",
  /** `deletionProtection` keeps the deployment from being deleted. */
  "deletion_protected",
  /** The revision ended in a status that contains FAILED. */
  "rollout_failed",
  /** The revision is DEPLOYED, but did not pass `rollout.verify`. */
  "verification_failed",
  /** The rollout, or the deletion, did not finish before the deadline. */
  "rollout_timeout",
  /** A change that could not be sent, a run that did not end, or a consent that was not given before the deadline. */
  "timeout",
  /** A mistake in this package, or an error that it does not know. */
  "internal",
] as const;

/** What went wrong, as one stable word: a code never changes its meaning between releases. */
export type ErrorCode = (typeof errorCodes)[number];

/** What an error is about, as far as it is known. */
export interface ErrorFacts {
  /** HTTP status of the answer. */
  status?: number;
  /** Method and path of the request, for example `PATCH /v2/deployments/…`. */
  request?: string;
  /** The server's own id of the request, from the headers of its answer. */
  requestId?: string;
  /** Id of the deployment. */
  deploymentId?: string;
  /** Id of the revision. */
  revisionId?: string;
  /** The status in which the revision was last seen; `VERIFY_FAILED` after a failed verification. */
  revisionStatus?: string;
  /** The `detail` of the server's answer, without secrets. */
  detail?: string;
  /** Whether the server certainly did not act on the request, so that repeating it can do no harm. */
  notProcessed?: boolean;
  /** Whether nobody waited for the answer any longer: the server may still act on the request. */
  timedOut?: boolean;
  /** Whether the same request would certainly fail in the same way. */
  final?: boolean;
  /** How long the server asked to wait, in milliseconds. */
  retryAfterMs?: number;
}

const brand = Symbol.for("pulumi-agentserver/error");

/**
 * Every error of this package has this class. `code` says what went wrong and `facts` what it is about; the message says
 * what to do. Use `AgentServerError.is` to recognize one: with several copies of the package `instanceof` may say no.
 */
export class AgentServerError extends Error {
  override readonly name = "AgentServerError";
  readonly [brand] = true;

  /**
   * @param code what went wrong
   * @param message what happened to which resource, and what to do next
   * @param facts what it is about
   * @param options the cause, if there is one
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: ErrorFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the service does not have what was asked for (404). */
  get isMissing(): boolean {
    return this.facts.status === 404;
  }

  /** Whether the request conflicts with what is there (409). */
  get isConflict(): boolean {
    return this.facts.status === 409;
  }

  /** Whether the service cannot make sense of the request (422). */
  get isInvalid(): boolean {
    return this.facts.status === 422;
  }

  /** Whether the credentials are refused, or do not allow this (401, 403). */
  get isDenied(): boolean {
    return this.code === "refused_credentials";
  }

  /** Whether the service understood the request and refuses it (400, 409, 422). */
  get isRefused(): boolean {
    return [400, 409, 422].includes(this.facts.status ?? 0);
  }

  /** Whether the service does not have the operation at all, or not for this deployment or revision (404, 405, 501). */
  get isUnsupported(): boolean {
    return [404, 405, 501].includes(this.facts.status ?? 0);
  }

  /** Whether the same request may succeed later: there was no answer, or the server is failing or overloaded. */
  get isTransient(): boolean {
    return this.code === "connection_failed" || this.code === "server_failed";
  }

  /** Whether a value is an error of this package, or of another copy of it. */
  static is(error: unknown): error is AgentServerError {
    return typeof error === "object" && error !== null && brand in error;
  }
}

/** Any thrown value as an error with a message: `throw undefined` must not reach the engine. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error && isText(thrown.message)) return thrown;
  const message = thrown instanceof Error ? thrown.name : describeThrown(thrown);
  return new AgentServerError("internal", message, {}, { cause: thrown });
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
