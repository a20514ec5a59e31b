import type { z } from "zod";
import { configCommand } from "../../provider/text/config-command";
import { describeIssue, type InputFault } from "../../provider/resource/inputs/issues";
import { manifestOverlay, manifestSchema } from "./format";
import { isCredentialVariable } from "./readable-variables";
import { holdsReference, parseReferences } from "./references";
import { namesIn, textsIn, valueAt } from "./texts";

/** Returns all errors in a manifest that can be found without the values of the references. */
export function checkManifest(value: unknown): InputFault[] {
  return [...checkFilled(value), ...plainSecrets(value)];
}

/** Returns all errors in a manifest whose references have been resolved. */
export function checkFilled(value: unknown): InputFault[] {
  return [...checkShape(manifestSchema(valueAt(value, ["kind"])), value), ...checkReferences(value)];
}

/** Returns the faults of an overlay before it is merged into its manifest. */
export function checkOverlay(value: unknown): InputFault[] {
  return [...checkShape(manifestOverlay, value), ...checkReferences(value)];
}

/**
 * Returns the schema violations. For a string with references, only the type is checked, because the value is not
 * known.
 */
function checkShape(schema: z.ZodType, value: unknown): InputFault[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? [])
    .filter((issue) => !isOpen(issue, value))
    .flatMap((issue) => describeIssue(issue, schema).map((fault) => withHint(fault, issue, value)));
}

/** True if the issue depends on the value of a reference. */
function isOpen({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  return code !== "invalid_type" && code !== "invalid_key" && isReferring(valueAt(value, path.map(String)));
}

function isReferring(value: unknown): boolean {
  return typeof value === "string" && value.includes("${");
}

/**
 * Adds a hint for values such as `1.20` and `true`. They may be intended as branch names, but YAML does not read them
 * as strings.
 */
function withHint(fault: InputFault, issue: z.core.$ZodIssue, value: unknown): InputFault {
  if (issue.code !== "invalid_type") return fault;
  const given = valueAt(value, fault.path);
  if (issue.expected === "string" && (typeof given === "number" || typeof given === "boolean"))
    return { ...fault, reason: `${fault.reason}; put the value in quotes` };
  if (isReferring(given))
    return { ...fault, reason: `${fault.reason}; the value of a reference is always a string` };
  return fault;
}

/**
 * Returns faults for references that cannot be parsed, and for references in fields that must not depend on the
 * environment of the program.
 */
function checkReferences(value: unknown): InputFault[] {
  const names = namesIn(value).filter(({ text }) => text.includes("${"));
  return [
    ...names.map(({ path }) => ({ path, reason: "the name of a field cannot contain ${", aboutName: true })),
    ...textsIn(value).flatMap(({ path, text }) => {
      const reason = referenceFault(path, text);
      return reason === undefined ? [] : [{ path, reason, aboutName: false }];
    }),
  ];
}

/** Fields that previews use: folders to read, and the server and key to use. */
const localFields = new Set([
  "folder",
  "sourceRevisionConfig.folder",
  "sourceRevisionConfig.dependencyFolders",
  "connection.url",
  "connection.apiKeyFrom",
]);

function referenceFault(path: string[], text: string): string | undefined {
  if (path[0] !== "spec" && text.includes("${"))
    return "cannot contain a reference, because this field identifies the resource";
  if (
    localFields.has(
      path
        .slice(1)
        .join(".")
        .replace(/\.\d+$/, ""),
    ) &&
    holdsReference(text)
  )
    return "cannot contain a reference, because this field determines what a preview reads or where requests are sent";
  const parsed = parseReferences(text);
  if ("fault" in parsed) return parsed.fault;
  const names = parsed.parts.flatMap((part) => ("kind" in part && part.kind === "env" ? [part.name] : []));
  const credential = names.find(isCredentialVariable);
  return credential === undefined
    ? undefined
    : `manifests cannot read ${credential}, because it may contain credentials; use \${secret:NAME} for secrets`;
}

/** Returns faults for plaintext secrets, because a value in a file is no longer secret. */
function plainSecrets(value: unknown): InputFault[] {
  const path = ["spec", "secrets"];
  return textsIn(valueAt(value, path), path)
    .filter(
      ({ path: { length }, text }) =>
        length === 3 && !holdsReference(text) && !("fault" in parseReferences(text)),
    )
    .map(({ path }) => ({ path, reason: plainSecret(path[2]!), aboutName: false }));
}

function plainSecret(name: string): string {
  return (
    "is a plaintext value, but manifests must not contain secrets: " +
    `run \`${configCommand({ isSecret: true }, name)}\` and write \${secret:${name}} here`
  );
}
