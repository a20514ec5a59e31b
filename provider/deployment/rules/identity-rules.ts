import { failure, type Finding, warning } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import type { Identity } from "../inputs/identity";
import type { Dialect } from "../../control-plane/dialects";

/** A deployment is known by a name, or in its place by an agent and an environment. */
export function identityFindings(wanted: DesiredInputs): Finding[] {
  if (wanted.lacks("agent") && wanted.lacks("name"))
    return [failure("name", "is required; in the dialect langsmith, `agent` may stand in its place")];
  if (!wanted.lacks("agent") && !wanted.lacks("name"))
    return [failure("agent", "stands in the place of a name; leave out one of the two")];
  return [];
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
 * @param detail what it says
 */
function isAboutName(detail: string, name: string): boolean {
  const text = name.replace(/[^\w\s]/g, "\\$&");
  const quoted = new RegExp(`["'\`\u2018\u201c]${text}["'\`\u2019\u201d]`);
  const beside = new RegExp(
    `\\bnamed?:? ${text}(?![\\w-])|(?<![\\w-])${text} (is |has )?(already |still |been )*(exists|taken|in use|used|reserved|held)\\b`,
    "i",
  );
  return quoted.test(detail) || beside.test(detail) || saysTaken.some((words) => words.test(detail));
}

/** The same for what the deployment is to be known by: one deployment for an agent's environment is there already. */
export function isAboutIdentity(detail: string, { name, agent }: Identity): boolean {
  if (agent) return /\bagent environment\b/i.test(detail);
  return name !== undefined && isAboutName(detail, name);
}

/**
 * Names with which a deployment is made, but does not come to serve.
 * @param selfHosted - whether the control plane is one of somebody's own installation
 */
export function nameFindings(wanted: DesiredInputs, { table }: Dialect, selfHosted: boolean): Finding[] {
  const name = wanted.text("name");
  if (!table.names || !name || !wanted.changes("name")) return [];
  const { pattern, wording, selfHostedLength } = table.names;
  return [
    ...(pattern.test(name) ? [] : [warning("name", `should be of ${wording}: rollouts of other names fail`)]),
    ...(selfHosted && name.length > selfHostedLength
      ? [
          warning(
            "name",
            `has ${name.length} characters: in a self-hosted installation a deployment with a name of more than ${selfHostedLength} may never become ready`,
          ),
        ]
      : []),
  ];
}
