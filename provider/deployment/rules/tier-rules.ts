import { deploymentTiers } from "../../../wire";
import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { newerDeploymentType } from "../inputs/deployment-type";
import { settingNames } from "../inputs/settings";
import { oneOf } from "./one-of";

const whole = "deploymentTier";
const parts = ["computeTier", "databaseTier"] as const;

/** Sizes that do not go together, or not with the deployment's type. */
export function tierFindings(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  if (!table.fields.patch.includes(settingNames[whole])) return [];
  const given = [whole, ...parts].filter((tier) => wanted.gives(tier));
  const both = wanted.gives(whole) ? parts.filter((tier) => wanted.gives(tier)) : [];
  return [
    ...both.map((tier) => failure(tier, `cannot be given together with ${whole}, which sets it too`)),
    ...given.flatMap((tier) => oneOf(wanted, tier, deploymentTiers)),
    ...given.flatMap((tier) => ofOtherType(wanted, tier)),
  ];
}

/** A serverless deployment has serverless sizes only, and no database of its own to size. */
function ofOtherType(wanted: DesiredInputs, tier: string): Finding[] {
  const type = wanted.text("sourceConfig.deploymentType");
  const newer = newerDeploymentType(type);
  const size = wanted.text(tier);
  if (size?.startsWith("SERVERLESS_") && tier === "databaseTier")
    return [failure(tier, "is for dedicated deployments: serverless ones have no database of their own")];
  const own = { serverless: "SERVERLESS_", dedicated: "DEDICATED_" }[String(newer)];
  if (!own || size === undefined || size.startsWith(own)) return [];
  return [
    failure(
      tier,
      `is ${size}, which is not for deployments of the type ${type}; use one that begins with ${own}`,
    ),
  ];
}
