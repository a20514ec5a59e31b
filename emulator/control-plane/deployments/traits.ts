import type { CreateDeploymentBody, DeploymentTier, PatchDeploymentBody } from "../../../wire";
import { refuse } from "../refusal";
import type { DeploymentTraits } from "../store/deployment-traits";
import type { StoredDeployment } from "../store/deployments";

/** New tier of a deployment as a whole, or new tiers of its compute and database. Null leaves a value unchanged. */
export interface TierChange {
  deployment_tier?: DeploymentTier | null;
  compute_tier?: DeploymentTier | null;
  database_tier?: DeploymentTier | null;
}

/** Returns the settings in a create request, except for the source. */
export function traitsOf(body: CreateDeploymentBody): DeploymentTraits {
  return defined({
    secretReferences: body.secret_references ?? undefined,
    shareable: body.shareable ?? undefined,
    routeThroughGateway: body.route_through_gateway ?? undefined,
    agent: body.agent ?? undefined,
  });
}

/** Returns the traits after a PATCH request. Missing and null fields leave values unchanged. */
export function changedTraits(
  { traits, sourceConfig }: StoredDeployment,
  body: PatchDeploymentBody,
): DeploymentTraits {
  const tier = body.deployment_tier ?? undefined;
  if (tier) checkTier(sourceConfig.deployment_type, tier);
  return {
    ...traits,
    ...defined({
      displayName: body.display_name ?? undefined,
      trackedRepoRef: body.tracked_repo_ref ?? undefined,
      secretReferences: body.secret_references ?? undefined,
      routeThroughGateway: body.route_through_gateway ?? undefined,
      computeTier: tier,
      databaseTier: tier,
    }),
  };
}

/** Returns the traits after a tier change. */
export function resized({ traits, sourceConfig }: StoredDeployment, change: TierChange): DeploymentTraits {
  const whole = change.deployment_tier ?? undefined;
  if (whole) {
    checkTier(sourceConfig.deployment_type, whole);
    return { ...traits, computeTier: whole, databaseTier: whole };
  }
  const computeTier = change.compute_tier ?? undefined;
  const databaseTier = change.database_tier ?? undefined;
  if (!computeTier && !databaseTier) throw refuse.noTier();
  for (const tier of [computeTier, databaseTier]) if (tier) checkTier(sourceConfig.deployment_type, tier);
  // Serverless deployments do not have their own database, so it cannot be resized.
  if (databaseTier?.startsWith("SERVERLESS")) throw refuse.wrongTier(databaseTier);
  return { ...traits, ...defined({ computeTier, databaseTier }) };
}

function checkTier(type: string | null | undefined, tier: DeploymentTier): void {
  const kind = type === "serverless" ? "SERVERLESS" : type === "dedicated" ? "DEDICATED" : "";
  if (!tier.startsWith(kind)) throw refuse.wrongTier(tier);
}

function defined<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}
