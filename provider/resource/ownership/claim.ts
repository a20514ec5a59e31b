import { z } from "zod";
import { AgentServerError } from "../../errors";
import type { OperationReport } from "../operation";

/** The `adopt` input of every kind, which determines when this resource may adopt an existing object. */
export const adoptInput = z.enum(["never", "ifOwned", "always"]);

export type Adopt = z.infer<typeof adoptInput>;

/** Operation that an object is claimed for. */
export type ClaimedFor = "create" | "update" | "delete";

/** Owner of an existing object, from the perspective of one resource. */
export type Owner =
  /** The object has the ownership tag of this resource. */
  | "this"
  /** The object has the ownership tag of this resource, but its state cannot result from an interrupted create. */
  | "this, changed"
  /** The object has the ownership tag of another resource. */
  | "another"
  /** The object could have a tag but does not have one. */
  | "none"
  /** The server created the object, such as the default assistant of a graph, and it has no tag. */
  | "server"
  /** The server does not report tags. */
  | "unreported";

/** An object on a server, and its owner. */
export interface Existing {
  /** Subject of the messages, for example "Assistant 4711". */
  title: string;
  owner: Owner;
  /** The other resource that owns the object, for example "the resource acme/shop/dev:inbox". */
  holder?: string | undefined;
  /** Alternative that avoids the conflict in a create, for example "use another `assistantId`". */
  alternative?: string | undefined;
  /** Sentence that ends the message about a conflict, with information that is specific to the kind. */
  hint?: string | undefined;
  /** Deployment that the error refers to. */
  deploymentId?: string | undefined;
}

/**
 * Action that results from a claim. `adopt` and `resume` also write the ownership tag; `keep` does not delete anything.
 */
export type Claim = "resume" | "adopt" | "change" | "delete" | "keep";

type Decision = Claim | "refuse";

/**
 * Decision for each operation and owner: either one decision, or three decisions, for the `adopt` values `never`,
 * `ifOwned`, and `always`.
 */
const decisions: Record<ClaimedFor, Record<Owner, Decision | readonly [Decision, Decision, Decision]>> = {
  create: {
    this: ["refuse", "resume", "resume"],
    "this, changed": ["refuse", "refuse", "adopt"],
    another: ["refuse", "refuse", "adopt"],
    none: ["refuse", "refuse", "adopt"],
    server: ["refuse", "adopt", "adopt"],
    unreported: ["refuse", "refuse", "adopt"],
  },
  update: {
    this: "change",
    "this, changed": "change",
    another: ["refuse", "refuse", "adopt"],
    none: "adopt",
    server: "adopt",
    unreported: "change",
  },
  delete: {
    this: "delete",
    "this, changed": "delete",
    another: "keep",
    none: "keep",
    server: "keep",
    unreported: "delete",
  },
};

/**
 * Returns the action that is allowed for an existing object of any kind. Pure function; {@link claim} applies the
 * decision.
 */
export function decide(purpose: ClaimedFor, owner: Owner, adopt: Adopt = "ifOwned"): Decision {
  const decision = decisions[purpose][owner];
  return typeof decision === "string" ? decision : decision[adoptInput.options.indexOf(adopt)]!;
}

/**
 * Claims an existing object for this resource. Logs a message if the claim adopts, resumes, or keeps the object.
 * @throws AgentServerError `name_conflict` if this resource must not adopt or change the object
 */
export function claim(
  { log }: Pick<OperationReport, "log">,
  purpose: ClaimedFor,
  existing: Existing,
  adopt?: Adopt,
): Claim {
  const { title } = existing;
  const decision = decide(purpose, existing.owner, adopt);
  if (decision === "refuse") throw conflict(purpose, existing);
  if (decision === "adopt") log("info", `${title} ${state(existing)} and is adopted.`);
  if (decision === "resume")
    log("info", `${title} ${state(existing)}, so its interrupted create is resumed.`);
  if (decision === "keep") log("warning", `${title} was not deleted because it ${state(existing)}.`);
  return decision;
}

/** Returns the error for a claim that is rejected. */
export function conflict(purpose: ClaimedFor, existing: Existing): AgentServerError {
  const { title, owner, alternative, hint, deploymentId } = existing;
  const text =
    purpose === "create"
      ? `${title} already exists and ${state(existing)}. Adopt it (\`adopt: "${owner === "this" ? "ifOwned" : "always"}"\`), ${alternative === undefined ? "" : `${alternative}, `}or delete it.`
      : `${title} was not changed because it ${state(existing)}. Reclaim it (\`adopt: "always"\`), or remove it from one of the two programs.`;
  const message = hint === undefined ? text : `${text} ${hint}`;
  return new AgentServerError("name_conflict", message, { deploymentId });
}

/** Ignores a 409 response, so that the caller checks the owner of the object instead; rethrows all other errors. */
export function ignoreConflict(error: unknown): undefined {
  if (AgentServerError.is(error) && error.facts.status === 409) return undefined;
  throw error;
}

/** Returns null for each key that the inputs no longer contain, for use in maps that servers merge. */
export function removedKeys(
  current: object | null | undefined,
  wanted: object | null | undefined,
): Record<string, null> {
  const removed = Object.keys(current ?? {}).filter((key) => !Object.hasOwn(wanted ?? {}, key));
  return Object.fromEntries(removed.map((key) => [key, null]));
}

/** Describes the owner of an existing object. */
function state({ owner, holder = "another Pulumi resource" }: Existing): string {
  switch (owner) {
    case "this":
      return "has the ownership tag of this resource";
    case "this, changed":
      return "was changed after this resource created it";
    case "another":
      return `is owned by ${holder}`;
    case "none":
      return "has no ownership tag";
    case "server":
      return "was created by the server";
    case "unreported":
      return "has no reported owner";
  }
}
