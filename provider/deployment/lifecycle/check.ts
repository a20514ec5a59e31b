import type { z } from "zod";
import type { Dialect } from "../../control-plane/dialects";
import { parseDuration } from "../duration";
import { deploymentInputs } from "../inputs";
import { describeIssue, type InputFault } from "../issues";
import { hiddenIn, inputsIn, type Props } from "../state";
import { isUnknownAt, unknownValue } from "../unknown";

/** One thing that is wrong with an input. */
export interface CheckFailure {
  /** Path of the property, for example `sourceConfig.repoUrl`. */
  property: string;
  reason: string;
}

/** Everything that is wrong with the inputs. What is not known yet in a preview is let through. */
export function checkInputs(props: Props, dialect: Dialect): CheckFailure[] {
  const inputs = inputsIn(props);
  const parsed = deploymentInputs.safeParse(inputs);
  const issues = parsed.success
    ? []
    : parsed.error.issues.filter((issue) => isAboutNames(issue) || !isUnknownAt(inputs, issue.path));
  return [
    ...issues.flatMap((issue) => describeIssue(issue, deploymentInputs)).map(asFailure),
    ...unclearableNulls(inputs, dialect),
    ...reservedSecrets(inputs, dialect),
    ...customTimeouts(props),
  ];
}

function asFailure({ path, reason }: InputFault): CheckFailure {
  return { property: path.join("."), reason };
}

/** A name is wrong whatever is not known yet about values. */
function isAboutNames(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" || issue.code === "invalid_key";
}

function unclearableNulls(inputs: object, dialect: Dialect): CheckFailure[] {
  return ["sourceConfig", "sourceRevisionConfig"].flatMap((group) => {
    const fields: unknown = (inputs as Props)[group];
    if (typeof fields !== "object" || fields === null) return [];
    const nulls = Object.entries(fields).filter(([, value]) => value === null);
    return nulls
      .map(([field]) => `${group}.${field}`)
      .filter((property) => !dialect.clearable.has(property))
      .map((property) => ({
        property,
        reason: "cannot be cleared with null; leave it out to let the control plane choose",
      }));
  });
}

/** Names that the service keeps for itself. */
function reservedSecrets(inputs: object, { table }: Dialect): CheckFailure[] {
  const secrets: unknown = (inputs as Props)["secrets"];
  if (typeof secrets !== "object" || secrets === null) return [];
  return Object.keys(secrets)
    .filter((name) => table.reservedSecrets?.test(name))
    .map((name) => ({
      property: `secrets.${name}`,
      reason: "is a name that the control plane keeps for itself",
    }));
}

function customTimeouts(props: Props): CheckFailure[] {
  const timeouts = Object.entries(hiddenIn(props).__timeouts ?? {});
  return timeouts.flatMap(([operation, text]) =>
    text === undefined || text === unknownValue || parseDuration(text) !== undefined
      ? []
      : [
          {
            property: `customTimeouts.${operation}`,
            reason: 'must be a length of time such as "30m" or "1h30m"',
          },
        ],
  );
}
