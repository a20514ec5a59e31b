import { withoutCredentials } from "../../provider/text/address-credentials";

/** Words of our own, which a secret of the same letters must not turn into something else. */
const ownWords = new Set(["action", "effect", "gate", "basis", "level", "kind"]);

/** The same value with every text in it cleaned: known secrets taken out, and credentials of addresses. */
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
