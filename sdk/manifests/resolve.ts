import { checkFilled } from "./check";
import { type Fault, inOrder } from "./fault";
import { manifestOf } from "./format";
import { literally, parseReferences, type Part, type Reference, secretReference } from "./references";
import { type DeclaredDeployment, locate } from "./parse";
import { textsIn, withTexts } from "./texts";

/** What references stand for; nothing for what is not there. */
export interface Values<Secret> {
  env(name: string): string | undefined;
  secret(name: string): Secret | undefined;
  /** One text out of known parts and secret ones. */
  join(parts: (string | Secret)[]): Secret;
}

/** The spec of a deployment with values in the place of references, and all of them that are not there. */
export function resolveReferences<Secret>(
  deployment: DeclaredDeployment,
  values: Values<Secret>,
): { spec: unknown; faults: Fault[] } {
  const missing = textsIn(deployment.spec, ["spec"]).flatMap(({ path, text }) =>
    referencesIn(text).flatMap((reference) => {
      const reason = values[reference.kind](reference.name) === undefined && missingValue(reference);
      return reason ? [{ path, reason, aboutName: false }] : [];
    }),
  );
  if (missing.length > 0) return { spec: undefined, faults: inOrder(locate(deployment, missing)) };
  const filled = withTexts(deployment.spec, (text) => withEnvironment(text, values));
  const faults = inOrder(locate(deployment, checkFilled(manifestOf(deployment.name, filled))));
  return { spec: withTexts(filled, (text) => withSecrets(text, values)), faults };
}

function referencesIn(text: string): Reference[] {
  return partsOf(text).filter((part): part is Reference => !("literal" in part));
}

/** Text in which variables of the environment are replaced, and secrets still stand as references. */
function withEnvironment(text: string, { env }: Values<unknown>): string {
  const parts = partsOf(text).map((part) => {
    if ("literal" in part) return literally(part.literal);
    return part.kind === "env" ? literally(env(part.name)!) : secretReference(part.name);
  });
  return parts.join("");
}

function withSecrets<Secret>(text: string, { secret, join }: Values<Secret>): string | Secret {
  const parts = partsOf(text).map((part) => ("literal" in part ? part.literal : secret(part.name)!));
  const plain = parts.filter((part) => typeof part === "string");
  return plain.length === parts.length ? plain.join("") : join(parts);
}

/** The texts have been checked before. */
function partsOf(text: string): Part[] {
  const parsed = parseReferences(text);
  if ("fault" in parsed) throw new Error(`a reference was not checked: ${parsed.fault}`);
  return parsed.parts;
}

function missingValue({ kind, name }: Reference): string {
  return kind === "env"
    ? `the environment has no variable ${name}`
    : `the stack's configuration has no ${name}; run \`pulumi config set --secret ${name}\``;
}
