/** Codes of all errors, each with a section in docs/errors.md. */
export const errorCodes = [
  /** No API key, or no workspace although one is required. */
  "missing_credentials",
  /** The service responded with 401 or 403. */
  "refused_credentials",
  /** Settings, inputs, or files that contradict each other or cannot be used. */
  "bad_configuration",
  /** Manifests that cannot be read or are invalid; the message lists each problem and its location. */
  "bad_manifest",
  /** The configuration refers to a different control plane or workspace than the state. */
  "moved_control_plane",
  /** No response: name resolution, connection, TLS, or timeout. */
  "connection_failed",
  /** The service understood the request and rejected it (400, 404, 409, 422, …). */
  "request_refused",
  /** The service kept failing (5xx), or kept requesting a lower rate (429), until the retries were exhausted. */
  "server_failed",
  /** A response that does not match the documented schema. */
  "unexpected_response",
  /** The name is in use, or the deployment is owned by another resource. */
  "name_conflict",
  /** The deployment does not exist, or no longer exists. */
  "deployment_gone",
  /** Another resource, such as an assistant, a cron, or an item, no longer exists. */
  "resource_gone",
  /** Another stack or user created a newer revision, and `rollout.onConflict` is `fail`. */
  "foreign_revision",
  /** A field cannot be changed to the desired value in place. */
  "immutable_field",
  /** `deletionProtection` prevents the deletion of the deployment. */
  "deletion_protected",
  /** The revision ended in a status that contains `FAILED`. */
  "rollout_failed",
  /** The revision is `DEPLOYED`, but failed `rollout.verify`. */
  "verification_failed",
  /** The rollout, or the deletion, did not finish before the deadline. */
  "rollout_timeout",
  /** A change was not sent, a run did not end, or a user did not consent before the deadline. */
  "timeout",
  /** A bug in this package, or an error that the package does not recognize. */
  "internal",
] as const;

/** Stable code of an error; its meaning never changes between releases. */
export type ErrorCode = (typeof errorCodes)[number];

/** Known details of an error. */
export interface ErrorFacts {
  /** HTTP status of the response. */
  status?: number;
  /** Method and path of the request, for example `PATCH /v2/deployments/…`. */
  request?: string;
  /** The server's own request ID, from the response headers. */
  requestId?: string;
  /** ID of the deployment. */
  deploymentId?: string;
  /** ID of the revision. */
  revisionId?: string;
  /** The last known status of the revision; `VERIFY_FAILED` after a failed verification. */
  revisionStatus?: string;
  /** The `detail` of the server's response, without secrets. */
  detail?: string;
  /** True if the server is known not to have acted on the request, so that retrying the request is harmless. */
  notProcessed?: boolean;
  /** True if the client stopped waiting for the response. The server may still act on the request. */
  timedOut?: boolean;
  /** True if the same request is known to fail in the same way. */
  final?: boolean;
  /** Pause that the server requested, in milliseconds. */
  retryAfterMs?: number;
}

const brand = Symbol.for("pulumi-agentserver/error");

/**
 * Error thrown by this package. `code` identifies the problem, `facts` contains its details, and the message describes
 * how to fix it. Use `AgentServerError.is` to recognize such an error, because `instanceof` may fail if there are
 * several copies of the package.
 */
export class AgentServerError extends Error {
  override readonly name = "AgentServerError";
  readonly [brand] = true;

  /**
   * @param code the kind of problem
   * @param message the problem, the affected resource, and the next step
   * @param facts details of the problem
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

  /** True if the service does not have the requested object (404). */
  get isMissing(): boolean {
    return this.facts.status === 404;
  }

  /** True if the request conflicts with the current state of the service (409). */
  get isConflict(): boolean {
    return this.facts.status === 409;
  }

  /** True if the service considers the request invalid (422). */
  get isInvalid(): boolean {
    return this.facts.status === 422;
  }

  /** True if the credentials are rejected, or do not permit the request (401, 403). */
  get isDenied(): boolean {
    return this.code === "refused_credentials";
  }

  /** True if the service understood the request and rejected it (400, 409, 422). */
  get isRefused(): boolean {
    return [400, 409, 422].includes(this.facts.status ?? 0);
  }

  /**
   * True if the service does not support the operation at all, or not for this deployment or revision (404, 405, 501).
   */
  get isUnsupported(): boolean {
    return [404, 405, 501].includes(this.facts.status ?? 0);
  }

  /** True if the same request may succeed later: there was no response, or the server is failing or overloaded. */
  get isTransient(): boolean {
    return this.code === "connection_failed" || this.code === "server_failed";
  }

  /**
   * Makes Pulumi print only the message if the program fails with this error, in the same way as for Pulumi's own
   * `RunError`. A bug is printed with its stack trace.
   * @internal
   */
  get __pulumiRunError(): boolean {
    return this.code !== "internal";
  }

  /** True if a value is an error of this package, or of another copy of it. */
  static is(error: unknown): error is AgentServerError {
    return typeof error === "object" && error !== null && brand in error;
  }
}

/** Converts any thrown value to an error with a message, because `throw undefined` must not reach the engine. */
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
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- The value is not an object.
    const text = typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown);
    return `a value other than an Error was thrown: ${text}`;
  } catch {
    return "a value other than an Error was thrown, and it cannot be displayed";
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
