import type { OperationResource } from "../../resource/operation";
import { createHash } from "node:crypto";
import {
  formatTag,
  isCompleteTag,
  ownerSecretName,
  parseTag,
  stackOf,
  type DeploymentRecord,
  type OwningResource,
  type OwnershipTag,
} from "../../../wire";
import type { ResourceIdentity } from "../../resource/ownership/owner-id";
import { sortedJson } from "../../resource/inputs/json";
import { plainText } from "../../text/plain-text";
import { partsOfUrn } from "../../resource/ownership/urn";

/** Context of the operation that writes a tag. */
interface Tagger {
  resource: Pick<OperationResource, "ownerId" | "identity">;
  time: { clock: { now(): number } };
}

/**
 * Maximum length of the variable list in a tag, in characters. The tag is an environment variable, so its size is
 * limited.
 */
const maxListLength = 32 * 1024;

/** Returns the reported value of the ownership tag, even if the server has masked it. */
export function reportedTag({ secrets }: DeploymentRecord): string | undefined {
  return secrets?.find(({ name }) => name === ownerSecretName)?.value ?? undefined;
}

/** Returns the tag of a deployment, or `undefined` if it has none or the server does not report its value. */
export function tagOf(record: DeploymentRecord): OwnershipTag | undefined {
  const tag = parseTag(reportedTag(record) ?? "");
  return tag?.holder ? { ...tag, holder: plainHolder(tag.holder) } : tag;
}

/**
 * Returns the names of an owner without control characters, because anyone who is allowed to change the deployment may
 * have written the tag.
 */
function plainHolder({ organization, project, stack, resource }: OwningResource): OwningResource {
  return {
    organization: plainText(organization),
    project: plainText(project),
    stack: plainText(stack),
    resource: plainText(resource),
  };
}

/** True if the tag of a record is complete. */
export function isTagComplete(record: DeploymentRecord): boolean {
  return isCompleteTag(reportedTag(record) ?? "");
}

/**
 * Returns the tag that a resource writes to its deployment. Keeps the time of a previous tag of the same resource.
 * @param record the current deployment, if it exists
 * @param revisions number of revisions that interrupted creates have created
 * @param plain the plain variables that are sent with the tag
 * @param uploaded the source that was uploaded for this change
 * @param triggers the hash of the triggers that are sent with the tag
 */
export function createTag(
  { resource: { ownerId, identity }, time: { clock } }: Tagger,
  {
    record,
    revisions = 1,
    plain = {},
    uploaded,
    triggers,
  }: {
    record?: DeploymentRecord;
    revisions?: number;
    plain?: Readonly<Record<string, string>>;
    uploaded?: { contentHash: string; objectPath: string };
    triggers?: string | undefined;
  } = {},
): string {
  const found = record && tagOf(record);
  const since = (found?.ownerId === ownerId && found.since) || new Date(clock.now()).toISOString();
  const variables = Object.keys(plain).sort();
  const isListed = variables.length > 0 && variables.join().length <= maxListLength;
  return formatTag({
    ownerId,
    revisions,
    since,
    holder: holderFrom(identity),
    // The hash of the path shows whether the newest revision was created from this upload.
    content: uploaded
      ? { contentHash: uploaded.contentHash, objectPathHash: shortHash(uploaded.objectPath) }
      : found?.content,
    ...(triggers !== undefined && { triggers }),
    ...(isListed && { variables }),
  });
}

/**
 * Returns the content hash of the source of the newest revision; an empty string if this resource did not send that
 * source.
 * @param known the hash to return if the server does not report it
 * @param isFollowed true if the resource has followed the rollout of the newest revision. A deployment without a tag
 * then has the known contents.
 */
export function contentOf(
  record: DeploymentRecord,
  known: string | undefined,
  isFollowed = false,
): string | undefined {
  const tag = tagOf(record);
  // An adoption without `secrets` writes no tag, and other clients remove the tag if they replace the whole
  // environment.
  if (!tag) return isTagged(record) === false && !isFollowed ? "" : known;
  const path = record.source_revision_config?.source_tarball_path;
  if (!path) return tag.content?.contentHash ?? known;
  return tag.content?.objectPathHash === shortHash(path) ? tag.content.contentHash : "";
}

/**
 * Returns the hash of `rollout.triggers` for a tag. With the hash, the next operation can detect that an interrupted
 * change requested the revision. The source is not sufficient, because other revisions may have the same source.
 * @param known the newest revision in state when the change began. It is part of the hash, because the same triggers
 * may be sent again later.
 */
export function triggersHash(triggers: readonly unknown[] | undefined, known: string | undefined) {
  return triggers && shortHash(sortedJson([triggers, known]));
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Returns the tag of a deployment if another resource now owns the deployment. */
export function foreignTag(
  { ownerId }: Pick<OperationResource, "ownerId">,
  record: DeploymentRecord,
): OwnershipTag | undefined {
  const tag = tagOf(record);
  return tag && tag.ownerId !== ownerId ? tag : undefined;
}

/**
 * Returns the owner ID of a deployment; `undefined` if the deployment has no tag or the server does not report the tag.
 */
export function ownerOf(record: DeploymentRecord): string | undefined {
  return tagOf(record)?.ownerId;
}

/**
 * True if a deployment has an ownership tag, even if the server does not report its value; `undefined` if the server
 * does not report secrets. Some servers do not report secrets until the deployment has a revision.
 */
export function isTagged({ secrets, latest_revision_id: revision }: DeploymentRecord): boolean | undefined {
  if (!secrets || (secrets.length === 0 && !revision)) return undefined;
  return secrets.some(({ name }) => name === ownerSecretName);
}

/** Describes the owner of a deployment: `resource "agent" of stack acme/agents/prod, since 2026-01-02 03:04:05 UTC`. */
export function describeHolder({ holder, since }: OwnershipTag): string {
  if (!holder) return "another Pulumi resource";
  const moment = since === undefined ? "" : `, since ${since.slice(0, 19).replace("T", " ")} UTC`;
  return `resource "${holder.resource}" of stack ${stackOf(holder)}${moment}`;
}

function holderFrom({ urn, organization = "" }: ResourceIdentity): OwningResource {
  const { project, stack, name } = partsOfUrn(urn);
  return { organization, project, stack, resource: name };
}
