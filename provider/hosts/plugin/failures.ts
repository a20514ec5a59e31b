import type { Outcome } from "../../core/core";
import type { Decoded } from "../../core/decoded";
import { shortened } from "../../engine/shorten";
import { asError } from "../../errors";
import type { AnyKind } from "../../resource/kind";
import { failureRoom, fittingState } from "../failure-room";
import { encodeState } from "./properties";
import { Any, grpc, type messages, proto, Status } from "./protocol";

/** An error that is sent to the engine as the response to a call. */
export class Failure extends Error {
  constructor(
    readonly code: number,
    readonly details: string,
    readonly metadata = new grpc.Metadata(),
  ) {
    super(details);
  }
}

/** Returns the response for an error of an operation that did not create or change a resource. */
export function plainFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(grpc.status.UNKNOWN, shortened([asError(error).message], failureRoom.text)[0]!);
}

/** Returns the response for a call that this provider does not support. */
export function unsupported(what: string): Failure {
  return new Failure(grpc.status.UNIMPLEMENTED, `${what} is not supported by this provider`);
}

/** Returns the response for a request that no program can send with the current schema. */
export function invalid(reason: string): Failure {
  return new Failure(grpc.status.INVALID_ARGUMENT, reason);
}

/**
 * Returns the failures of a check. If a failure specifies a property, the engine prints the property's value, even if
 * the value is secret. These failures therefore specify no property, and their text contains its path.
 */
export function checkFailures(reasons: readonly string[]): messages.CheckFailure[] {
  return reasons.map((reason) => new proto.CheckFailure().setProperty("").setReason(reason));
}

/** Returns the response that makes the engine keep the resource in state and display all reasons as one. */
export function partialFailure(
  kind: AnyKind,
  { secretPaths, hidden }: Decoded,
  { id, state, problem }: Required<Outcome>,
): Failure {
  // Both can be large, and the dynamic host does not need them from this state.
  const { __files: _listing, __call: _call, ...kept } = (hidden ?? {}) as Record<string, unknown>;
  const { encoded } = fittingState(kind, state, (smaller) => {
    const properties = encodeState(kind, smaller, { secretPaths, hidden: kept });
    return { encoded: properties, size: properties.serializeBinary().length };
  });
  const detail = new proto.ErrorResourceInitFailed();
  detail.setId(id);
  detail.setProperties(encoded);
  // The engine counts each reason as an error, so a failure has exactly one reason.
  detail.setReasonsList([shortened(problem.reasons, failureRoom.reasons).join("\n")]);
  const message = shortened([problem.error.message], failureRoom.message)[0]!;
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(grpc.status.UNKNOWN);
  status.setMessage(message);
  status.addDetails(packed);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return new Failure(grpc.status.UNKNOWN, message, metadata);
}
