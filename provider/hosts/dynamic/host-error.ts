import { AgentServerError } from "../../errors";
import type { LifecycleResult } from "../../deployment/lifecycle";
import type { Props } from "../../deployment/state";
import { secretPathsOf } from "./operations";
import { withSecretCopies } from "./secret-outputs";

/** Partial failures travel in an HTTP/2 header block, which may hold 64 KiB. */
const headerRoom = 40_000;
const reasonsRoom = 8_000;

/**
 * An error as the dynamic provider's process can pass it on. It prints `String(error)` and the stack to the
 * user's terminal, so both are made of what a user can use.
 */
export function plainFailure(error: Error, redact: (text: string) => string): Error {
  const code = AgentServerError.is(error) ? error.code : "internal";
  const failure = new Error(redact(error.message));
  failure.stack = failure.message;
  failure.toString = () => `agentserver ${code}`;
  return failure;
}

/**
 * The error after which the engine keeps the resource in state and shows each reason. Its properties must hold
 * `__provider`, or no later operation finds this code again.
 */
export function partialFailure(
  result: LifecycleResult,
  hidden: Props,
  redact: (text: string) => string,
): Error {
  const reasons = shorten((result.problem?.reasons ?? []).map(redact));
  let properties: Props = outputsOf({ ...hidden, ...result.state });
  // What is left out of state is sent again by the next update, which does no harm.
  if (size(properties) > headerRoom) properties = { ...properties, secrets: undefined };
  if (size(properties) > headerRoom)
    properties = { ...properties, sourceConfig: { ...result.state.sourceConfig, resourceSpec: undefined } };
  if (size(properties) > headerRoom) return plainFailure(new Error(reasons.join("\n")), redact);
  const failure = plainFailure(result.problem!.error, redact);
  properties = withSecretCopies(outputsOf(properties), secretPathsOf(hidden));
  return Object.assign(failure, { id: result.id, properties, reasons });
}

/** Only what survives the engine's encoding: no undefined, no dates, no functions. */
export function outputsOf(props: Props): Props {
  return JSON.parse(JSON.stringify(props)) as Props;
}

function shorten(reasons: string[]): string[] {
  const share = Math.floor(reasonsRoom / Math.max(1, reasons.length));
  // The end of a log says more than its beginning.
  return reasons.map((reason) => {
    if (reason.length <= share) return reason;
    const [title = "", ...lines] = reason.split("\n");
    const head = title.slice(0, share / 2);
    return `${head}\n  …${lines.join("\n").slice(-(share - head.length))}`;
  });
}

function size(props: Props): number {
  return Buffer.byteLength(JSON.stringify(props));
}
