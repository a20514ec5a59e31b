import { mask, maskedText } from "../admin/journal/masking";

/** Fields that the page interprets; the control plane itself writes them. */
const plain = /^(id|at|\w+_id|name|source|status|level|timestamp|\w+_at|url|next_offset)$/;

/**
 * Returns a copy of a response for the page. It contains only the names of secrets, and all `values` are removed from
 * free text (reasons, log lines, references).
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
