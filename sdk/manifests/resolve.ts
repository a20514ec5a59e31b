import { configCommand } from "../../provider/text/config-command";
import { checkFilled } from "./check";
import { type Fault, inOrder, type Place } from "./fault";
import { manifestOfKind } from "./format";
import { literally, parseReferences, type Part, type Reference } from "./references";
import { type DeclaredResource, locate } from "./parse";
import { textsIn, valueAt, withTexts } from "./texts";

/** Sources for the values of references; `undefined` for values that do not exist. */
export interface Values<Secret> {
  /** Returns the value of an environment variable. */
  env: (name: string) => string | undefined;
  /** Environment variables that the program allows manifests to read. */
  readableVariables: readonly string[];
  /** Marks the value of an environment variable as secret. */
  hide: (value: string) => Secret;
  secret: (name: string) => Secret | undefined;
  /** Stack of the program, in the format of `--stack`; `undefined` if it is unknown. */
  stack?: string | undefined;
  /** Joins plain and secret parts into one string. */
  join: (parts: (string | Secret)[]) => Secret;
}

/**
 * Returns the spec of a resource with its references resolved, and all faults: references that do not exist, or errors
 * in the resolved spec.
 */
export function resolveReferences<Secret>(
  resource: DeclaredResource,
  values: Values<Secret>,
): { spec: unknown; faults: Fault[] } {
  const missing = textsIn(resource.spec, ["spec"]).flatMap(({ path, text }) =>
    referencesIn(text).flatMap((reference) => {
      const reason = referenceFault(reference, values);
      return reason ? [{ path, reason, aboutName: false }] : [];
    }),
  );
  if (missing.length > 0) return { spec: undefined, faults: inOrder(locate(resource, missing)) };
  const known = withTexts(resource.spec, (text) => asFarAsKnown(text, values));
  const faults = inOrder(locate(resource, checkFilled(manifestOfKind(resource.kind, resource.name, known))));
  return { spec: withTexts(resource.spec, (text) => withValues(text, values)), faults };
}

/** Value that a resource reads from outside its manifest, with the position of the reference to the value. */
export interface ExternalValue {
  kind: Reference["kind"] | "connection key";
  name: string;
  place: Place;
}

/** Returns all values that a resource reads from the environment and the stack's configuration. */
export function externalValues({ spec, place }: DeclaredResource): ExternalValue[] {
  const references = textsIn(spec, ["spec"]).flatMap(({ path, text }) =>
    referencesIn(text).map(({ kind, name }) => ({ kind, name, place: place(path) })),
  );
  const path = ["connection", "apiKeyFrom"];
  const key = valueAt(spec, path);
  if (typeof key !== "string") return references;
  return [...references, { kind: "connection key", name: key, place: place(["spec", ...path]) }];
}

function referencesIn(text: string): Reference[] {
  return partsOf(text).filter((part): part is Reference => !("literal" in part));
}

/**
 * Returns a string of a manifest with its variables resolved. A string that references a secret is returned unchanged,
 * because secrets are not read.
 */
function asFarAsKnown(text: string, { env }: Pick<Values<unknown>, "env">): string {
  const parts = partsOf(text);
  if (parts.some((part) => "kind" in part && part.kind === "secret")) return text;
  return literally(parts.map((part) => ("literal" in part ? part.literal : env(part.name)!)).join(""));
}

function withValues<Secret>(text: string, { env, hide, secret, join }: Values<Secret>): string | Secret {
  const parts = partsOf(text).map((part) => {
    if ("literal" in part) return part.literal;
    return part.kind === "env" ? hide(env(part.name)!) : secret(part.name)!;
  });
  const plain = parts.filter((part) => typeof part === "string");
  return plain.length === parts.length ? plain.join("") : join(parts);
}

/** Returns the parts of a string that has already been validated. */
function partsOf(text: string): Part[] {
  const parsed = parseReferences(text);
  if ("fault" in parsed) throw new Error(`a reference was not checked: ${parsed.fault}`);
  return parsed.parts;
}

function referenceFault(
  { kind, name }: Reference,
  {
    env,
    readableVariables,
    secret,
    stack,
  }: Pick<Values<unknown>, "env" | "readableVariables" | "secret" | "stack">,
): string | undefined {
  if (kind === "secret")
    return secret(name) === undefined
      ? `the stack's configuration has no ${name}; run \`${configCommand({ stack, isSecret: true }, name)}\``
      : undefined;
  if (!readableVariables.includes(name))
    return `the program does not let manifests read ${name}; add it to \`environmentVariables\` of the Workspace`;
  return env(name) === undefined ? `the environment has no variable ${name}` : undefined;
}
