import type { OperationResource } from "../../resource/operation";
import { createHash } from "node:crypto";
import type { DeploymentRecord } from "../../../wire";
import type { ResourceIdentity } from "../../resource/ownership/owner-id";
import { sortedJson } from "../../resource/inputs/json";
import { plainText } from "../../text/plain-text";
import { partsOfUrn } from "../../resource/ownership/urn";
import { ownerSecretName } from "../inputs/environment";

/** Pulumi resource that owns a deployment, as shown in messages. */
export interface OwningResource {
  /** Empty if the backend has no organizations. */
  organization: string;
  project: string;
  stack: string;
  /** Name of the resource in the program. */
  resource: string;
}

/** Contents of the ownership tag of a deployment. */
export interface OwnershipTag {
  /** The resource that owns the deployment. */
  ownerId: string;
  /**
   * Number of revisions that unfinished creates of that resource have created. A deployment with more revisions has
   * been changed since, so it is in a state.
   */
  revisions: number;
  /** Time at which the resource became the owner, as an ISO time; missing in a tag of another form. */
  since?: string;
  /** Missing in a tag of another form. */
  holder?: OwningResource;
  /** The newest upload of the resource, if it has sent one. */
  content?: UploadedContent;
  /** Hash of the `rollout.triggers` that the newest change was sent with; see {@link triggersHash}. */
  triggers?: string;
  /**
   * Names of the plain variables that the resource has sent, so that it can remove them even if its state does not have
   * them. Missing if there are none, or too many for a tag.
   */
  variables?: readonly string[];
}

/** Contents of an upload. The path identifies it, because an earlier revision may have been deployed again. */
interface UploadedContent {
  contentHash: string;
  objectPathHash: string;
}

/** The resource that writes a tag. */
interface Tagger {
  resource: Pick<OperationResource, "ownerId" | "identity">;
  time: { clock: { now(): number } };
}

/**
 * Maximum length of the variable list in a tag, in characters. The tag is itself an environment variable, so its size
 * is limited.
 */
const maxListLength = 32 * 1024;

/**
 * Formats a tag: `<owner id>/<revisions>/<since>/<organization>/<project>/<stack>/<resource>`, followed by `/<content
 * hash>.<hash of its path>` after an upload, by `/~<hash>` if there are triggers, by `/=<name>,<name>` if there are
 * plain variables, and always by `/.`, so that a tag that a server shortens is recognized.
 */
export function formatTag(tag: OwnershipTag): string {
  const { ownerId, revisions, since, holder, content, triggers, variables } = tag;
  if (!holder || since === undefined) return ownerId;
  const { organization, project, stack, resource } = holder;
  return [
    ownerId,
    revisions,
    since,
    ...[organization, project, stack, resource].map(encodeURIComponent),
    ...(content ? [`${content.contentHash}.${content.objectPathHash}`] : []),
    ...(triggers ? [`~${triggers}`] : []),
    ...(variables ? [`=${variables.join(",")}`] : []),
    ".",
  ].join("/");
}

/** Returns the reported value of the ownership tag, even if it is not the value that was sent. */
export function reportedTag({ secrets }: DeploymentRecord): string | undefined {
  return secrets?.find(({ name }) => name === ownerSecretName)?.value ?? undefined;
}

/** Returns the tag of a deployment, or `undefined` if it has none or the server does not report its value. */
export function tagOf(record: DeploymentRecord): OwnershipTag | undefined {
  return readTag(reportedTag(record) ?? "");
}

const whole =
  /^([^/]+)\/(\d{1,6})\/([^/]+)\/([^/]*)\/([^/]*)\/([^/]*)\/([^/]*)(?:\/([0-9a-f]{64})\.([0-9a-f]{16}))?(?:\/~([0-9a-f]{16}))?(?:\/=(\w+(?:,\w+)*))?\/\.$/;

/** A tag of another form still contains its owner; any other value is a placeholder of the server. */
const otherForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/;

/**
 * True if the tag of a record is complete. A server that shortens values also shortens the tag, which may still contain
 * the owner.
 */
export function isTagComplete(record: DeploymentRecord): boolean {
  return whole.test(reportedTag(record) ?? "");
}

function readTag(text: string): OwnershipTag | undefined {
  const [, ownerId = "", revisions, since = "", ...others] = whole.exec(text) ?? [];
  const [contentHash, objectPathHash, triggers, variables] = others.slice(4);
  const moment = Date.parse(since);
  if (Number.isNaN(moment)) {
    const [owner] = otherForm.exec(text) ?? [];
    return owner === undefined ? undefined : { ownerId: owner, revisions: 1 };
  }
  const [organization = "", project = "", stack = "", resource = ""] = others.slice(0, 4).map(decodePart);
  return {
    ownerId,
    revisions: Number(revisions),
    since: new Date(moment).toISOString(),
    holder: { organization, project, stack, resource },
    ...(contentHash && objectPathHash && { content: { contentHash, objectPathHash } }),
    ...(triggers && { triggers }),
    ...(variables && { variables: variables.split(",") }),
  };
}

/** Decodes a part of a tag. Anyone who may change the deployment may have written the tag. */
function decodePart(text: string): string {
  try {
    return plainText(decodeURIComponent(text));
  } catch {
    return plainText(text);
  }
}

/**
 * Returns the tag that a resource writes to its deployment. It keeps the time in an earlier tag of the same resource.
 * @param record the current deployment, if it exists
 * @param revisions number of revisions that unfinished creates have created
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
    // The path of an upload shows if it is the newest one.
    content: uploaded
      ? { contentHash: uploaded.contentHash, objectPathHash: shortHash(uploaded.objectPath) }
      : found?.content,
    ...(triggers !== undefined && { triggers }),
    ...(isListed && { variables }),
  });
}

/**
 * Returns the content hash of the source of the newest revision; empty if this resource did not send it.
 * @param known the hash if the server does not report it
 */
export function contentOf(record: DeploymentRecord, known: string | undefined): string | undefined {
  const tag = tagOf(record);
  // Replacing the whole environment also removes the tag.
  if (!tag) return isTagged(record) === false ? "" : known;
  const path = record.source_revision_config?.source_tarball_path;
  if (!path) return tag.content?.contentHash ?? known;
  return tag.content?.objectPathHash === shortHash(path) ? tag.content.contentHash : "";
}

/**
 * Returns the hash of `rollout.triggers` for a tag. With it, the next operation recognizes that the revision of an
 * interrupted change was requested, which another revision of the same source does not show.
 * @param known the newest revision in the state that the change began with: the same triggers may be sent again later
 */
export function triggersHash(triggers: readonly unknown[] | undefined, known: string | undefined) {
  return triggers && shortHash(sortedJson([triggers, known]));
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Returns the tag of a deployment that another resource now owns. */
export function foreignTag(
  { ownerId }: Pick<OperationResource, "ownerId">,
  record: DeploymentRecord,
): OwnershipTag | undefined {
  const tag = tagOf(record);
  return tag && tag.ownerId !== ownerId ? tag : undefined;
}

/** Returns the owner id of a deployment; `undefined` if it has no tag or the server does not report it. */
export function ownerOf(record: DeploymentRecord): string | undefined {
  return tagOf(record)?.ownerId;
}

/**
 * True if a deployment has an ownership tag, even if the server does not report its value; `undefined` if the server
 * does not report secrets, as some do not before there is a revision.
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

/** Returns the name of a stack in the form of the Pulumi CLI. */
export function stackOf({ organization, project, stack }: OwningResource): string {
  return [organization, project, stack].filter((name) => name !== "").join("/");
}

function holderFrom({ urn, organization = "" }: ResourceIdentity): OwningResource {
  const { project, stack, name } = partsOfUrn(urn);
  return { organization, project, stack, resource: name };
}
