import { unknownValue } from "../../../provider/deployment/unknown";
import type { Props } from "../../../provider/deployment/state";

/** What stands in place of a secret value. */
export const hiddenValue = "[secret]";

const secretMark = "4dabf18193072939515e22adb298388d";

/** Properties as the engine prints them, with `hiddenValue` for each secret, in whichever way it is marked. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  if (Object.hasOwn(value, secretMark)) return hiddenValue;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]));
}

/** Properties of a resource; nothing else than an object has any. */
export function asProps(value: unknown): Props {
  const clean = withoutSecrets(value);
  return typeof clean === "object" && clean !== null && !Array.isArray(clean) ? (clean as Props) : {};
}

/** A text that may be shown; nothing for secret and unknown values and for anything else. */
export function plainText(value: unknown): string | undefined {
  return typeof value === "string" && value !== hiddenValue && value !== unknownValue ? value : undefined;
}
