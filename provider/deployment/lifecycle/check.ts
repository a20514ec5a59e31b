import type { z } from "zod";
import type { Dialect } from "../../control-plane/dialects";
import { parseDuration } from "../duration";
import {
  deploymentInputs,
  rolloutInputs,
  sourceConfigInputs,
  sourceRevisionConfigInputs,
  verifyInputs,
} from "../inputs";
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
    ...issues.flatMap(describeIssue),
    ...unclearableNulls(inputs, dialect),
    ...reservedSecrets(inputs, dialect),
    ...customTimeouts(props),
  ];
}

/** A name is wrong whatever is not known yet about values. */
function isAboutNames(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" || issue.code === "invalid_key";
}

function describeIssue(issue: z.core.$ZodIssue): CheckFailure[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ property: [...path, key].join("."), reason: unknownField(path, key) }));
  const missing =
    issue.code === "invalid_type" && issue.input === undefined && /received undefined/.test(issue.message);
  // The failure of a key is one level down.
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ property: path.join("."), reason: missing ? "is required" : uncapitalised(message) }];
}

/** A typing mistake is best answered with the word that was meant. */
function unknownField(path: string[], key: string): string {
  const known = knownFields[path.join(".")] ?? [];
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const meant = known.find((name) => plain(name) === plain(key));
  return meant ? `is not a field; did you mean ${meant}?` : `is not a field; known are ${known.join(", ")}`;
}

const knownFields: Record<string, string[]> = {
  "": Object.keys(deploymentInputs.shape),
  sourceConfig: Object.keys(sourceConfigInputs.shape),
  sourceRevisionConfig: Object.keys(sourceRevisionConfigInputs.shape),
  rollout: Object.keys(rolloutInputs.shape),
  "rollout.verify": Object.keys(verifyInputs.shape),
  "rollout.verify.run": Object.keys(verifyInputs.shape.run.unwrap().shape),
};

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

function uncapitalised(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
