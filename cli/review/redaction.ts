import { withoutCredentials } from "../../provider/text/address-credentials";

/** Fixed words of the report, which must not change if a secret has the same letters. */
const ownWords = new Set(["action", "effect", "gate", "basis", "level", "kind"]);

/** Returns the value with known secrets and credentials of addresses removed from every text in it. */
export function cleaned<Value>(value: Value, redact: (text: string) => string): Value {
  const clean = (item: unknown): unknown => {
    if (typeof item === "string") return withoutCredentialsInAddresses(redact(item));
    if (Array.isArray(item)) return item.map(clean);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [key, ownWords.has(key) ? one : clean(one)]),
    );
  };
  return clean(value) as Value;
}

function withoutCredentialsInAddresses(text: string): string {
  return text.replace(/[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi, withoutCredentials);
}
