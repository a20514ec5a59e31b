import type { OperationResource } from "../../resource/operation";
import { createHash } from "node:crypto";
import type { DeploymentRecord } from "../../../wire";
import type { ResourceIdentity } from "../../resource/ownership/owner-id";
import { plainText } from "../../text/plain-text";
import { partsOfUrn } from "../../resource/ownership/urn";
import { isTagListed, reportedSecrets, reportedTag } from "../mapping";

/** The Pulumi resource that holds a deployment, as people know it. */
export interface Holder {
  /** Empty where the backend has no organizations. */
  organization: string;
  project: string;
  stack: string;
  /** Its name in the program. */
  resource: string;
}

/** What the ownership tag of a deployment says. */
export interface OwnershipTag {
  /** The resource that the deployment belongs to. */
  ownerId: string;
  /**
   * Revisions that creates of that resource have made without coming to their end. A deployment with more of them has
   * been changed since, and so is in somebody's state.
   */
  revisions: number;
  /** Since when it holds the deployment, as an ISO time; missing in the tags of early releases. */
  since?: string;
  /** Missing in the tags of early releases. */
  holder?: Holder;
  /** What the newest upload of this resource was; missing where it has sent none. */
  content?: UploadedContent;
}

/** The contents of an upload. Which one it is, is told by its path: an earlier revision may have been deployed again. */
interface UploadedContent {
  contentHash: string;
  objectPathHash: string;
}

/** What a tag of one's own is made of. */
interface Tagger {
  resource: Pick<OperationResource, "ownerId" | "identity">;
  time: { clock: { now(): number } };
}

/**
 * The tag as it travels: `<owner id>/<revisions>/<since>/<organization>/<project>/<stack>/<resource>`, and with an upload
 * `/<content hash>.<hash of its path>` after that.
 */
export function writtenTag({ ownerId, revisions, since, holder, content }: OwnershipTag): string {
  if (!holder || since === undefined) return revisions === 1 ? ownerId : `${ownerId}/${revisions}`;
  const { organization, project, stack, resource } = holder;
  return [
    ownerId,
    revisions,
    since,
    ...[organization, project, stack, resource].map(encodeURIComponent),
    ...(content ? [`${content.contentHash}.${content.objectPathHash}`] : []),
  ].join("/");
}

/** The tag of a deployment; nothing when it has none or the server does not report it. */
export function tagOf(record: DeploymentRecord): OwnershipTag | undefined {
  const text = reportedTag(record);
  return text === undefined ? undefined : readTag(text);
}

const whole =
  /^([^/]+)\/(\d{1,6})\/([^/]+)\/([^/]*)\/([^/]*)\/([^/]*)\/([^/]*)(?:\/([0-9a-f]{64})\.([0-9a-f]{16}))?$/;

function readTag(text: string): OwnershipTag | undefined {
  const [, ownerId, revisions, since, ...others] = whole.exec(text) ?? [];
  const [names, contentHash, objectPathHash] = [others.slice(0, 4), others[4], others[5]];
  const moment = Date.parse(since ?? "");
  if (ownerId !== undefined && !Number.isNaN(moment)) {
    const [organization = "", project = "", stack = "", resource = ""] = names.map(decoded);
    return {
      ownerId,
      revisions: Number(revisions),
      since: new Date(moment).toISOString(),
      holder: { organization, project, stack, resource },
      ...(contentHash !== undefined &&
        objectPathHash !== undefined && { content: { contentHash, objectPathHash } }),
    };
  }
  const [, early, count = "1"] = /^(.+?)(?:\/(\d{1,6}))?$/s.exec(text) ?? [];
  return early === undefined ? undefined : { ownerId: early, revisions: Number(count) };
}

/** Anybody who may change the deployment may have written it. */
function decoded(text: string): string {
  try {
    return plainText(decodeURIComponent(text));
  } catch {
    return plainText(text);
  }
}

/**
 * The tag that a resource gives to its deployment. One that it has given already keeps its time.
 * @param record the deployment as it is, if it is there
 * @param revisions revisions that creates have made without coming to their end
 */
export function ownTag(
  { resource: { ownerId, identity }, time: { clock } }: Tagger,
  record?: DeploymentRecord,
  revisions = 1,
): string {
  const found = record && tagOf(record);
  const since = (found?.ownerId === ownerId && found.since) || new Date(clock.now()).toISOString();
  // Of what was uploaded, it is known by the path whether it is the newest, whoever has sent it.
  return writtenTag({ ownerId, revisions, since, holder: holderFrom(identity), content: found?.content });
}

/** The same tag after an upload. */
export function tagAfterUpload(tag: string, contentHash: string, objectPath: string): string {
  const read = readTag(tag);
  return read ? writtenTag({ ...read, content: { contentHash, objectPathHash: pathHash(objectPath) } }) : tag;
}

/**
 * The content hash of what the newest revision was built from: empty where it is something else than this resource has
 * sent.
 * @param known what is known where the server does not report it
 */
export function contentOf(record: DeploymentRecord, known: string | undefined): string | undefined {
  const tag = tagOf(record);
  // Who deploys a whole environment of his own takes the tag away with it.
  if (!tag) return isTagged(record) === false ? "" : known;
  const path = record.source_revision_config?.source_tarball_path;
  if (!path) return tag.content?.contentHash ?? known;
  return tag.content?.objectPathHash === pathHash(path) ? tag.content.contentHash : "";
}

function pathHash(objectPath: string): string {
  return createHash("sha256").update(objectPath).digest("hex").slice(0, 16);
}

/** The tag of a deployment that by now belongs to another resource. */
export function foreignTag(
  { ownerId }: Pick<OperationResource, "ownerId">,
  record: DeploymentRecord,
): OwnershipTag | undefined {
  const tag = tagOf(record);
  return tag && tag.ownerId !== ownerId ? tag : undefined;
}

/** The resource that a deployment belongs to; nothing when it has no tag or the server does not report it. */
export function ownerOf(record: DeploymentRecord): string | undefined {
  return tagOf(record)?.ownerId;
}

/**
 * Whether some Pulumi resource has tagged the deployment as its own, known or not: a server may list the tag without its
 * value. Nothing where the server does not report secrets.
 */
export function isTagged(record: DeploymentRecord): boolean | undefined {
  if (isTagListed(record)) return true;
  return reportedSecrets(record) ? false : undefined;
}

/** Who holds a deployment, and since when: `resource "agent" of stack acme/agents/prod, since 2026-01-02 03:04:05 UTC`. */
export function holderInWords({ holder, since }: OwnershipTag): string {
  if (!holder) return "another Pulumi resource";
  const moment = since === undefined ? "" : `, since ${since.slice(0, 19).replace("T", " ")} UTC`;
  return `resource "${holder.resource}" of stack ${stackOf(holder)}${moment}`;
}

/** A stack as the Pulumi CLI names it. */
export function stackOf({ organization, project, stack }: Holder): string {
  return [organization, project, stack].filter((name) => name !== "").join("/");
}

function holderFrom({ urn, organization = "" }: ResourceIdentity): Holder {
  const { project, stack, name } = partsOfUrn(urn);
  return { organization, project, stack, resource: name };
}
