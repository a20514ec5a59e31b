import type { DeploymentRecord } from "../../../wire";
import { pulumiCommand } from "../../resource/commands";
import type { Existing, Owner } from "../../resource/ownership/claim";
import { titleOf, type Identity } from "../inputs/identity";
import { foreignTag, describeHolder, isTagged, tagOf } from "./tag";

/**
 * Finds the existing deployment that a create conflicts with, and describes it for a claim. A deployment that this
 * resource owns takes precedence.
 * @param found the deployments with that name, or with that agent, that are not being deleted
 * @param countRevisions called if a deployment has the tag of this resource
 */
export async function findExisting(
  found: readonly DeploymentRecord[],
  identity: Identity,
  ownerId: string,
  countRevisions: (record: DeploymentRecord) => Promise<number>,
): Promise<{ record: DeploymentRecord; existing: Existing } | undefined> {
  const record = found.find((one) => tagOf(one)?.ownerId === ownerId) ?? found[0];
  if (!record) return undefined;
  const own = ownerFrom(record, ownerId);
  // If there are more revisions than the interrupted creates have created, the deployment was changed later, so it may
  // be in the state of a stack.
  const isChanged = own === "this" && (await countRevisions(record)) > (tagOf(record)?.revisions ?? 0);
  const owner = isChanged ? "this, changed" : own;
  const { agent } = identity;
  const existing: Existing = {
    title: `Deployment ${titleOf(identity)} (${record.id})`,
    owner,
    holder: holderOf(record),
    alternative: agent ? "choose another agent or environment" : "use another name",
    hint: hintAbout(owner, record, agent ? "agent's environment" : "name"),
    deploymentId: record.id,
  };
  return { record, existing };
}

function hintAbout(owner: Owner, record: DeploymentRecord, place: string): string | undefined {
  if (owner === "another")
    return `If its owner is a resource in this program that will release the ${place}, set \`deleteBeforeReplace\` on that resource, and make this one depend on it (\`dependsOn\`).`;
  if (owner === "this, changed")
    return "Either it was retained (`retainOnDelete`), this stack has lost its state, or another stack with the same name has the deployment in its state.";
  if (owner === "unreported" && !record.latest_revision_id)
    return "The control plane reports no owner before the first revision, so this resource may have created the deployment.";
  return undefined;
}

/**
 * Describes a deployment in state for the claim of an update or a delete. If the deployment has no tag, its owner is
 * unknown, because an adoption may have deferred the tag to the next revision.
 */
export function knownDeployment(
  { ownerId, identity: { urn } }: { ownerId: string; identity: { urn: string } },
  record: DeploymentRecord,
): Existing {
  const owner = ownerFrom(record, ownerId);
  return {
    title: `Deployment ${record.id}`,
    owner: owner === "none" ? "unreported" : owner,
    holder: holderOf(record),
    hint: `To stop managing it here, run ${pulumiCommand("state delete", urn)}.`,
    deploymentId: record.id,
  };
}

function ownerFrom(record: DeploymentRecord, ownerId: string): Owner {
  if (foreignTag({ ownerId }, record)) return "another";
  if (tagOf(record)) return "this";
  return isTagged(record) === false ? "none" : "unreported";
}

function holderOf(record: DeploymentRecord): string | undefined {
  const tag = tagOf(record);
  return tag && describeHolder(tag);
}
