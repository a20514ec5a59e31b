import type { z } from "zod";
import type { Dialect } from "../../control-plane/dialects";
import { deploymentInputs } from "../inputs";
import { describeIssue, type InputFault } from "../../resource/issues";
import { failure, type Finding } from "../../resource/finding";
import { nameFindings } from "./name-rules";
import { resourceSpecFindings } from "./resource-spec-rules";
import { sourceFindings } from "./source-rules";
import { Wanted } from "./wanted";
import { inputsIn } from "../state";
import type { Props } from "../../resource/values";
import { hasUnknown, isUnknownAt, withoutUnknown } from "../../resource/unknown";

/** One thing that is wrong with an input. */
export type CheckFailure = Pick<Finding, "property" | "reason">;

/** Circumstances of a check. */
export interface CheckPlace {
  /** Inputs in state; what the control plane has taken before is not judged again. */
  olds?: Props;
  /** Whether the control plane is one of somebody's own installation. */
  selfHosted?: boolean;
}

/** Everything that is surely wrong with the inputs. What is not known yet in a preview is let through. */
export function checkInputs(props: Props, dialect: Dialect, place?: CheckPlace): CheckFailure[] {
  return [...checkShape(props), ...checkRules(props, dialect, place)]
    .filter(({ severity }) => severity === "failure")
    .map(({ property, reason }) => ({ property, reason }));
}

/** What is wrong with the inputs at every control plane: their types, texts and names. */
export function checkShape(props: Props): Finding[] {
  const inputs = inputsIn(props);
  return issuesIn(inputs)
    .flatMap((issue) => describeIssue(issue, deploymentInputs))
    .map(asFailure);
}

/** What control planes of one dialect refuse, or take without success; nothing about properties of a wrong shape. */
export function checkRules(
  props: Props,
  dialect: Dialect,
  { olds = {}, selfHosted = false }: CheckPlace = {},
): Finding[] {
  const inputs = inputsIn(props);
  const wanted = new Wanted(olds, props);
  const misshapen = checkShape(props).map(({ property }) => property);
  return [
    ...unclearableNulls(inputs, dialect),
    ...reservedSecrets(inputs, dialect),
    ...sourceFindings(wanted, dialect),
    ...resourceSpecFindings(wanted, dialect),
    ...nameFindings(wanted, dialect, selfHosted),
  ].filter(
    ({ property }) => !misshapen.some((other) => contains(property, other) || contains(other, property)),
  );
}

function contains(path: string, other: string): boolean {
  return path === other || other.startsWith(`${path}.`);
}

function asFailure({ path, reason }: InputFault): Finding {
  return failure(path.join("."), reason);
}

function issuesIn(inputs: object): z.core.$ZodIssue[] {
  const parse = (values: unknown) => deploymentInputs.safeParse(values).error?.issues ?? [];
  if (!hasUnknown(inputs)) return parse(inputs);
  // Names are wrong whatever is not known yet about their values. The rules about whole groups apply to what is known:
  // an unknown value in a group would have the wrong type, and then the schema does not apply them.
  const known = parse(withoutUnknown(inputs)).filter((issue) => !isAboutNames(issue));
  return [...parse(inputs).filter(isAboutNames), ...known.filter(({ path }) => !isUnknownAt(inputs, path))];
}

function isAboutNames(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" || issue.code === "invalid_key";
}

function unclearableNulls(inputs: object, dialect: Dialect): Finding[] {
  return ["sourceConfig", "sourceRevisionConfig"].flatMap((group) => {
    const fields: unknown = (inputs as Props)[group];
    if (typeof fields !== "object" || fields === null) return [];
    const nulls = Object.entries(fields).filter(([, value]) => value === null);
    return nulls
      .map(([field]) => `${group}.${field}`)
      .filter((property) => !dialect.clearable.has(property))
      .map((property) =>
        failure(property, "cannot be cleared with null; leave it out to let the control plane choose"),
      );
  });
}

/** Names that the service keeps for itself. */
function reservedSecrets(inputs: object, { table }: Dialect): Finding[] {
  const secrets: unknown = (inputs as Props)["secrets"];
  if (typeof secrets !== "object" || secrets === null) return [];
  return Object.keys(secrets)
    .filter((name) => table.reservedSecrets?.test(name))
    .map((name) => failure(`secrets.${name}`, "is a name that the control plane keeps for itself"));
}
