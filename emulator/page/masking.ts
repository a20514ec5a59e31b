import { mask, maskedText } from "../admin/journal/masking";

/** Fields that the page interprets; the control plane itself writes them. */
const plain = /^(id|at|\w+_id|name|source|status|level|timestamp|\w+_at|url|next_offset)$/;

/**
 * Returns a copy of an answer for the page: of secrets, only names remain, and free text (reasons, log lines,
 * references) loses all `values` in it.
 */
export function shownAnswer(part: unknown, values: readonly string[], key = ""): unknown {
  if (key === "secrets" && Array.isArray(part))
    return (part as { name: unknown }[]).map(({ name }) => ({ name, value: mask }));
  if (Array.isArray(part)) return part.map((item) => shownAnswer(item, values, key));
  if (typeof part === "object" && part !== null)
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, shownAnswer(value, values, name)]),
    );
  return typeof part === "string" && !plain.test(key) ? maskedText(part, values) : part;
}
