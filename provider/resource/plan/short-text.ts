import { isCommit } from "../../../wire";
import { withoutCredentials } from "../../text/address-credentials";

/** A value as short text for people. Secrets are taken out before it is cut, so that no beginning of one is left. */
export function shortText(value: unknown, redact: (text: string) => string): string {
  if (value === undefined || value === null) return "none";
  const text = redact(typeof value === "string" ? withoutCredentials(value) : JSON.stringify(value));
  if (isCommit(text)) return text.slice(0, 10);
  // The cut may leave half of a character.
  return text.length > 80 ? `${text.slice(0, 77).replace(/\p{Cs}$/u, "\ufffd")}…` : text;
}
