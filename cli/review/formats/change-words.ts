import type { Drift, ReviewChange } from "../report";
import { line, type Block, type Line } from "./line";

const effects: Record<ReviewChange["effect"], string> = {
  replace: "Requires the replacement",
  along: "Changes as part of the replacement",
  remove: "Deleted from the server",
  revision: "Needs a new revision",
  patch: "Patched without a new revision",
  confirm: "Must have the value that the control plane chose, because it cannot be changed in place",
  state: "Stored in state without a request",
  create: "Created with",
};

/**
 * Returns the changed fields, grouped by effect, with the most severe effect first.
 * @param patched description of fields that are changed in place
 */
export function changeBlocks(changes: readonly ReviewChange[], patched = effects.patch): Block[] {
  const kinds = (Object.keys(effects) as ReviewChange["effect"][]).filter((kind) =>
    changes.some(({ effect }) => effect === kind),
  );
  return kinds.map((kind) => ({
    title: [kind === "patch" ? patched : effects[kind]],
    lines: changes.filter((change) => change.effect === kind && !isNamedBelow(change)).map(changeLine),
  }));
}

/** True for the secrets of a created deployment. A separate line lists their names. */
function isNamedBelow({ effect, path }: ReviewChange): boolean {
  return effect === "create" && path.split(".")[0] === "secrets";
}

function changeLine({ path, from, to, summary, unknown, hidden, effect }: ReviewChange): Line {
  if (unknown) return line`${path}: not known before the update`;
  if (summary !== undefined) return line`${path}: ${summary}`;
  if (hidden && path.split(".")[0] === "secrets") return line`${path}`;
  if (hidden) return effect === "replace" ? line`${path}` : line`${path}: the value is secret`;
  if (from === undefined) return line`${path}: ${to ?? "none"}`;
  return line`${path}: ${from} → ${to ?? "none"}`;
}

/** Returns the block that lists the differences from state. */
export function driftBlock({ gone, changes, notes }: Drift): Block {
  if (gone) return { title: ["Drift: it was deleted outside Pulumi"], lines: [] };
  return {
    title: ["Drift: changed outside Pulumi"],
    lines: [
      ...changes.map(({ path, recorded, found, summary }) => {
        if (summary !== undefined) return line`${path}: ${summary}`;
        return recorded === undefined || found === undefined
          ? line`${path}`
          : line`${path}: recorded ${recorded}, found ${found}`;
      }),
      ...notes.map((note) => line`${note}`),
    ],
  };
}
