import type { Dialect } from "../../control-plane/dialects";
import { checkedResourceSpec, deploymentTiers } from "../../../wire";
import { describeIssue } from "../../resource/inputs/issues";
import { documentedName, resourceSpecToWire } from "../inputs/resource-spec";
import type { Props } from "../../resource/inputs/values";
import { hasUnknown } from "../../resource/inputs/unknown";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { newerDeploymentType } from "../inputs/deployment-type";
import { settingNames } from "../inputs/settings";
import { oneOf } from "./source-rules";

const group = "sourceConfig.resourceSpec";

/**
 * Checks `resourceSpec` for documented keys that are written with their API names, and for values that the control
 * plane rejects. Unknown values are accepted.
 */
export function resourceSpecFindings(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const spec = wanted.object(group);
  if (!spec || !wanted.changes(group)) return [];
  const misnamed = Object.keys(spec).flatMap((key) => {
    const name = documentedName(key);
    return name === undefined ? [] : [failure(`${group}.${key}`, `must be written as ${name} here`)];
  });
  return [...misnamed, ...(table.checksResourceSpec ? refusedValues(spec) : [])];
}

function refusedValues(spec: Props): Finding[] {
  const known = Object.fromEntries(
    Object.entries(spec).filter(([key, value]) => documentedName(key) === undefined && !hasUnknown(value)),
  );
  const parsed = checkedResourceSpec.safeParse(resourceSpecToWire(known));
  return (parsed.error?.issues ?? [])
    .flatMap((issue) => describeIssue(issue, checkedResourceSpec))
    .map(({ path: [key = "", ...rest], reason }) =>
      failure([group, userNameOf(key, known), ...rest].join("."), withUserNames(reason, known)),
    );
}

/** Returns the name that the user wrote for a key, given the key's name in the API. */
function userNameOf(wireKey: string, spec: Props): string {
  return (
    Object.keys(spec).find((key) => Object.keys(resourceSpecToWire({ [key]: 0 }))[0] === wireKey) ?? wireKey
  );
}

/** Returns an error text of the service without its prefix, and with the user's names for the keys that it mentions. */
function withUserNames(reason: string, spec: Props): string {
  return reason
    .replace(/^value error, /i, "")
    .replace(/\b[a-z]+(_[a-z]+)+\b/g, (key) => userNameOf(key, spec));
}

const whole = "deploymentTier";
const parts = ["computeTier", "databaseTier"] as const;

/** Checks for sizes that conflict with each other or with the deployment's type. */
export function tierFindings(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  if (!table.fields.patch.includes(settingNames[whole])) return [];
  const given = [whole, ...parts].filter((tier) => wanted.specifies(tier));
  const both = wanted.specifies(whole) ? parts.filter((tier) => wanted.specifies(tier)) : [];
  return [
    ...both.map((tier) => failure(tier, `cannot be combined with ${whole}, which also sets it`)),
    ...given.flatMap((tier) => oneOf(wanted, tier, deploymentTiers)),
    ...given.flatMap((tier) => ofOtherType(wanted, tier)),
  ];
}

/** Checks that a size is valid for the deployment's type. A serverless deployment has no database size. */
function ofOtherType(wanted: DesiredInputs, tier: string): Finding[] {
  const type = wanted.text("sourceConfig.deploymentType");
  const newer = newerDeploymentType(type);
  const size = wanted.text(tier);
  if (size?.startsWith("SERVERLESS_") && tier === "databaseTier")
    return [
      failure(tier, "is for dedicated deployments only: serverless deployments have no separate database"),
    ];
  const own = { serverless: "SERVERLESS_", dedicated: "DEDICATED_" }[String(newer)];
  if (!own || size === undefined || size.startsWith(own)) return [];
  return [
    failure(
      tier,
      `is ${size}, which deployments of type ${type} do not support; use a size that starts with ${own}`,
    ),
  ];
}
