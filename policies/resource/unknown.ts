/** Marker that represents a value that is not known yet. */
export const notKnownYet: unique symbol = Symbol("not known yet");

/** Error that is thrown if a rule requires a value that is known only during the update. */
export class NotKnownYet extends Error {
  /** @param field path of the value, such as `sourceConfig.repoUrl` */
  constructor(readonly field: string) {
    super(`${field} is not known yet`);
  }
}

/**
 * Placeholders that the engine sends for values that are not known yet, one for each type: string, boolean, number, and
 * so on.
 */
const sentinels = new Set<unknown>([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** True if the value is the engine's marker for a value that is not known yet. */
export function isSentinel(value: unknown): boolean {
  return sentinels.has(value);
}
