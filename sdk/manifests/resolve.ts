import { shellWord } from "../../provider/text/shell-word";
import { checkFilled } from "./check";
import { type Fault, inOrder } from "./fault";
import { manifestOfKind } from "./format";
import { literally, parseReferences, type Part, type Reference } from "./references";
import { type DeclaredResource, locate } from "./parse";
import { textsIn, withTexts } from "./texts";

/** What references stand for; nothing for what is not there. */
export interface Values<Secret> {
  env: (name: string) => string | undefined;
  secret: (name: string) => Secret | undefined;
  /** One text out of known parts and secret ones. */
  join: (parts: (string | Secret)[]) => Secret;
}

/** The spec of a resource with values in the place of references, and all of them that are not there. */
export function resolveReferences<Secret>(
  resource: DeclaredResource,
  values: Values<Secret>,
): { spec: unknown; faults: Fault[] } {
  const missing = textsIn(resource.spec, ["spec"]).flatMap(({ path, text }) =>
    referencesIn(text).flatMap((reference) => {
      const reason = values[reference.kind](reference.name) === undefined && missingValue(reference);
      return reason ? [{ path, reason, aboutName: false }] : [];
    }),
  );
  if (missing.length > 0) return { spec: undefined, faults: inOrder(locate(resource, missing)) };
  const known = withTexts(resource.spec, (text) => asFarAsKnown(text, values));
  const faults = inOrder(locate(resource, checkFilled(manifestOfKind(resource.kind, resource.name, known))));
  return { spec: withTexts(resource.spec, (text) => withValues(text, values)), faults };
}

function referencesIn(text: string): Reference[] {
  return partsOf(text).filter((part): part is Reference => !("literal" in part));
}

/** The text of a manifest that says the same without variables; one with a secret stays, since it is not looked at. */
function asFarAsKnown(text: string, { env }: Pick<Values<unknown>, "env">): string {
  const parts = partsOf(text);
  if (parts.some((part) => "kind" in part && part.kind === "secret")) return text;
  return literally(parts.map((part) => ("literal" in part ? part.literal : env(part.name)!)).join(""));
}

function withValues<Secret>(text: string, { env, secret, join }: Values<Secret>): string | Secret {
  const parts = partsOf(text).map((part) => {
    if ("literal" in part) return part.literal;
    return part.kind === "env" ? env(part.name)! : secret(part.name)!;
  });
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
    : `the stack's configuration has no ${name}; run \`pulumi config set --secret ${shellWord(name)}\``;
}
