import { holds, notKnownYet } from "../resource/unknown";
import type { Props } from "../resource/values";

/** How the engine writes a value that is not known yet, whatever its type. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How the engine marks an object as a secret; the secret is its `value`. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The value as a secret. */
export function asSecret(value: unknown): Props {
  return { ...secretSignature, value };
}

/** Whether the value travels as a secret. */
export function isSecretValue(value: object): boolean {
  return Object.keys(secretSignature).some((key) => Object.hasOwn(value, key));
}

/** The same value with `notKnownYet` in place of the engine's text for it. */
export function withUnknowns<Value>(value: Value): Value {
  const isUnknown = (one: unknown) => one === unknownText;
  return holds(value, isUnknown) ? (replaced(value, isUnknown) as Value) : value;
}

/** A copy, not by recursion: what is copied may be nested deeply, or hold itself. */
function replaced(value: unknown, isUnknown: (one: unknown) => boolean): unknown {
  const copies = new Map<object, object>();
  const left: object[] = [];
  const copyOf = (one: unknown): unknown => {
    if (isUnknown(one)) return notKnownYet;
    if (typeof one !== "object" || one === null) return one;
    const known = copies.get(one);
    if (known) return known;
    const copy = Array.isArray(one) ? [] : {};
    copies.set(one, copy);
    left.push(one);
    return copy;
  };
  const whole = copyOf(value);
  for (let one = left.pop(); one; one = left.pop())
    for (const [key, item] of Object.entries(one))
      // A key such as `__proto__` is a key like any other.
      Object.defineProperty(copies.get(one), key, {
        value: copyOf(item),
        configurable: true,
        enumerable: true,
        writable: true,
      });
  return whole;
}
