import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { ownerOf } from "../ownership-tag";
import type { Operation } from "../../resource/operation";

/** The conflict with a deployment that is there and is not this resource's own. */
export function nameConflict(name: string, other: DeploymentRecord, op: Operation): AgentServerError {
  return new AgentServerError("name_conflict", describeConflict(name, other, op.ownerId), {
    deploymentId: other.id,
  });
}

/** Whose the deployment of that name is, and the ways out. */
export function describeConflict(name: string, other: DeploymentRecord, ownerId: string): string {
  return `A deployment named "${name}" exists already (${other.id}). ${whose(other, ownerId)} Ways out: ${fromSibling(other, ownerId)}take it over with \`adopt: "always"\`; choose another name; or delete that deployment first.`;
}

/** A preview that looks at this resource first cannot know whether the owner is of the same program. */
function fromSibling(other: DeploymentRecord, ownerId: string): string {
  const owner = ownerOf(other);
  if (owner === undefined || owner === ownerId) return "";
  return "if that is another resource of this program that gives up the name, make this one depend on it (`dependsOn`); otherwise ";
}

function whose(other: DeploymentRecord, ownerId: string): string {
  const owner = ownerOf(other);
  if (owner === undefined) return "No Pulumi resource is known to own it.";
  if (owner !== ownerId) return "It belongs to another Pulumi resource.";
  return "It carries this resource's own ownership tag, but no state of this stack knows it: the state of another stack of the same name may know it, or this stack has lost it.";
}

/** The conflict with something that holds the name without being a deployment that could be taken over. */
export function nameHeld(name: string, refusal: AgentServerError): AgentServerError {
  return new AgentServerError(
    "name_conflict",
    `The name "${name}" is taken, although no deployment of that name is listed: ${refusal.facts.detail}. Ways out: wait until a deleted deployment of that name is gone; delete or rename a tracing project of that name that an earlier deployment left behind; or choose another name.`,
    refusal.facts,
    { cause: refusal },
  );
}

/** What is said of a name that is not free, whichever it is; one deployment for one source is another matter. */
const saysTaken = [
  /\btracing project\b/i,
  /\balready exists(?! for\b)/i,
  /\bnames?\b[^.]*\b(taken|exists?|in use|used|reserved|held|unique|duplicate)\b/i,
  /\b(duplicate|taken|reserved)\b[^.]*\bnames?\b/i,
];

/**
 * Whether a control plane says, in refusing a create, that the name is not free. A name may be any word of a sentence
 * about something else, so it counts only in quotes, or beside words about names.
 */
export function isAboutName({ facts: { detail = "" } }: AgentServerError, name: string): boolean {
  const text = name.replace(/[^\w\s]/g, "\\$&");
  const quoted = new RegExp(`["'\`\u2018\u201c]${text}["'\`\u2019\u201d]`);
  const beside = new RegExp(
    `\\bnamed?:? ${text}(?![\\w-])|(?<![\\w-])${text} (is |has )?(already |still |been )*(exists|taken|in use|used|reserved|held)\\b`,
    "i",
  );
  return quoted.test(detail) || beside.test(detail) || saysTaken.some((words) => words.test(detail));
}
