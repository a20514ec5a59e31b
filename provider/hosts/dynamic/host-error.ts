import { AgentServerError } from "../../errors";
import type { LifecycleResult } from "../../deployment/lifecycle";
import { smallerAndSmaller } from "../../deployment/omitted";
import type { DeploymentState, Props } from "../../deployment/state";
import { encodedSize } from "./encoded-size";
import { secretPathsOf } from "./operations";
import { withSecretCopies, withSecretDigests } from "./secret-outputs";
import { shortened } from "./shorten";

/** Failures travel in an HTTP/2 header block of at most 64 KiB, in base64: 48 KiB for all of these, in bytes. */
const propertiesRoom = 36_000;
const reasonsRoom = 8_000;
const messageRoom = 1_000;
/** A plain failure travels as text in which a byte may need three. */
const textRoom = 16_000;

/**
 * An error as the dynamic provider's process can pass it on. It prints `String(error)` and the stack to the
 * user's terminal, so both are made of what a user can use.
 */
export function plainFailure(error: Error, redact: (text: string) => string): Error {
  const code = AgentServerError.is(error) ? error.code : "internal";
  const failure = new Error(shortened([redact(error.message)], textRoom)[0]);
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
  const reasons = shortened((result.problem?.reasons ?? []).map(redact), reasonsRoom);
  const properties = fitting(result.state, hidden);
  if (!properties) return plainFailure(new Error(reasons.join("\n")), redact);
  const failure = plainFailure(result.problem!.error, redact);
  // The engine shows the reasons alone.
  failure.message = shortened([failure.message], messageRoom)[0]!;
  return Object.assign(failure, { id: result.id, properties, reasons });
}

/** The state, if need be with digests in place of its largest parts. */
function fitting(state: DeploymentState, hidden: Props): Props | undefined {
  const isSecret = secretPathsOf(hidden);
  for (const smaller of smallerAndSmaller(state)) {
    const kept = withSecretCopies(withSecretDigests(outputsOf({ ...hidden, ...smaller })), isSecret);
    if (encodedSize(kept) <= propertiesRoom) return kept;
  }
  return undefined;
}

/** Only what survives the engine's encoding: no undefined, no dates, no functions. */
export function outputsOf(props: Props): Props {
  return JSON.parse(JSON.stringify(props)) as Props;
}
