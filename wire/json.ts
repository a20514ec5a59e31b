/** True if the value is an object that is not a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if the value is neither `undefined` nor `null`. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
