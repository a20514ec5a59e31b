import type { AnyKind } from "../resource/kind";
import type { ManagedState } from "../resource/managed";
import { smallerAndSmaller } from "../resource/omitted";

/**
 * Maximum sizes of the parts of a failure, in bytes. A failure is sent in base64 in an HTTP/2 header block of at most
 * 64 KiB, so all parts together must not exceed 48 KiB.
 */
export const failureRoom = {
  properties: 36_000,
  reasons: 8_000,
  message: 1_000,
  /** Maximum size of a failure without a state. It is sent as text, in which one byte may be encoded as up to three. */
  text: 16_000,
};

/**
 * Returns the largest form of the state that fits into a failure, or the smallest one if none fits. Without the ID and
 * the state in the failure, the engine would lose the resource.
 */
export function fittingState<Encoded>(
  kind: AnyKind,
  state: ManagedState,
  encode: (smaller: ManagedState) => { encoded: Encoded; size: number },
): { encoded: Encoded; fits: boolean } {
  let last!: Encoded;
  for (const smaller of smallerAndSmaller(kind, state)) {
    const { encoded, size } = encode(smaller);
    if (size <= failureRoom.properties) return { encoded, fits: true };
    last = encoded;
  }
  return { encoded: last, fits: false };
}
