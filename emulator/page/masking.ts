import { environmentParts, stackOf, type OwnershipTag, type WireSecret } from "../../wire";
import { mask, maskedText } from "../admin/journal/masking";

/**
 * Matches the names of fields that the web console interprets. Their values are written by the control plane itself, so
 * they are not masked.
 */
const plain = /^(id|at|\w+_id|name|source|status|level|timestamp|\w+_at|url|next_offset)$/;

/**
 * Returns a copy of a response for the web console. In the copy, secrets (without their values), plain variables, and
 * the owner are separate fields. All `values` are removed from free text (reasons, log lines, references).
 */
export function shownAnswer(part: unknown, values: readonly string[], key = ""): unknown {
  if (Array.isArray(part)) return part.map((item) => shownAnswer(item, values, key));
  if (typeof part === "object" && part !== null)
    return Object.fromEntries(
      Object.entries(part).flatMap(([name, value]) =>
        name === "secrets" && Array.isArray(value)
          ? Object.entries(shownEnvironment(value as WireSecret[], values))
          : [[name, shownAnswer(value, values, name)]],
      ),
    );
  return typeof part === "string" && !plain.test(key) ? maskedText(part, values) : part;
}

function shownEnvironment(environment: readonly WireSecret[], values: readonly string[]) {
  const { secrets, variables, owner } = environmentParts(environment);
  return {
    secrets: secrets.map(({ name }) => ({ name, value: mask })),
    variables: variables.map(({ name, value }) => ({ name, value: maskedText(value, values) })),
    ...(owner && { owner: ownerText(owner) }),
  };
}

function ownerText({ holder }: OwnershipTag): string {
  return holder
    ? `resource "${holder.resource}" of stack ${stackOf(holder)}`
    : "a Pulumi resource whose name is unknown";
}
