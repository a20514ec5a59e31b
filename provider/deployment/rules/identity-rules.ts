import { failure, type Finding, warning } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import type { Identity } from "../inputs/identity";
import type { Dialect } from "../../control-plane/dialects";

/** Checks that a deployment has a name or, instead, an agent and an environment. */
export function identityFindings(wanted: DesiredInputs): Finding[] {
  if (wanted.lacks("agent") && wanted.lacks("name"))
    return [failure("name", "is required; in the langsmith dialect, `agent` may be specified instead")];
  if (!wanted.lacks("agent") && !wanted.lacks("name"))
    return [failure("agent", "cannot be combined with name; remove one of them")];
  return [];
}

/**
 * Patterns of error messages that report a name as being in use, for all kinds of names. They do not match the error
 * for a second deployment from the same source.
 */
const conflictTexts = [
  /\btracing project\b/i,
  /\balready exists(?! for\b)/i,
  /\bnames?\b[^.]*\b(taken|exists?|in use|used|reserved|held|unique|duplicate)\b/i,
  /\b(duplicate|taken|reserved)\b[^.]*\bnames?\b/i,
];

/**
 * True if a control plane rejects a create because the name is in use. A name can be a common word in an unrelated
 * message, so it is recognized only in quotes or next to words about names.
 * @param detail error message of the control plane
 */
function isAboutName(detail: string, name: string): boolean {
  const text = name.replace(/[^\w\s]/g, "\\$&");
  const quoted = new RegExp(`["'\`\u2018\u201c]${text}["'\`\u2019\u201d]`);
  const beside = new RegExp(
    `\\bnamed?:? ${text}(?![\\w-])|(?<![\\w-])${text} (is |has )?(already |still |been )*(exists|taken|in use|used|reserved|held)\\b`,
    "i",
  );
  return quoted.test(detail) || beside.test(detail) || conflictTexts.some((words) => words.test(detail));
}

/**
 * True if a control plane rejects a create because of its name, or because the agent already has a deployment in this
 * environment.
 */
export function isAboutIdentity(detail: string, { name, agent }: Identity): boolean {
  if (agent) return /\bagent environment\b/i.test(detail);
  return name !== undefined && isAboutName(detail, name);
}

/**
 * Checks for names that the control plane accepts but that keep a deployment from ever serving requests.
 * @param selfHosted true if the control plane is a self-hosted installation
 */
export function nameFindings(wanted: DesiredInputs, { table }: Dialect, selfHosted: boolean): Finding[] {
  const name = wanted.text("name");
  if (!table.names || !name || !wanted.changes("name")) return [];
  const { pattern, wording, selfHostedLength } = table.names;
  return [
    ...(pattern.test(name)
      ? []
      : [warning("name", `should consist of ${wording}; rollouts with other names fail`)]),
    ...(selfHosted && name.length > selfHostedLength
      ? [
          warning(
            "name",
            `has ${name.length} characters: in a self-hosted installation, a deployment with a name of more than ${selfHostedLength} characters may never become ready`,
          ),
        ]
      : []),
  ];
}
