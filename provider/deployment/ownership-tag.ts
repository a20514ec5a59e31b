import type { DeploymentRecord } from "../../wire";
import type { ResourceIdentity } from "../resource/owner-id";
import { plainText } from "../text/plain-text";
import { partsOfUrn } from "../resource/urn";
import { isTagListed, reportedSecrets, reportedTag } from "./mapping";

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
}

/** What a tag of one's own is made of. */
interface Tagger {
  ownerId: string;
  identity: ResourceIdentity;
  clock: { now(): number };
}

/** The tag as it travels: `<owner id>/<revisions>/<since>/<organization>/<project>/<stack>/<resource>`. */
export function writtenTag({ ownerId, revisions, since, holder }: OwnershipTag): string {
  if (!holder || since === undefined) return revisions === 1 ? ownerId : `${ownerId}/${revisions}`;
  const { organization, project, stack, resource } = holder;
  return [
    ownerId,
    revisions,
    since,
    ...[organization, project, stack, resource].map(encodeURIComponent),
  ].join("/");
}

/** The tag of a deployment; nothing when it has none or the server does not report it. */
export function tagOf(record: DeploymentRecord): OwnershipTag | undefined {
  const text = reportedTag(record);
  return text === undefined ? undefined : readTag(text);
}

const whole = /^([^/]+)\/(\d{1,6})\/([^/]+)\/([^/]*)\/([^/]*)\/([^/]*)\/([^/]*)$/;

function readTag(text: string): OwnershipTag | undefined {
  const [, ownerId, revisions, since, ...names] = whole.exec(text) ?? [];
  const moment = Date.parse(since ?? "");
  if (ownerId !== undefined && !Number.isNaN(moment)) {
    const [organization = "", project = "", stack = "", resource = ""] = names.map(decoded);
    return {
      ownerId,
      revisions: Number(revisions),
      since: new Date(moment).toISOString(),
      holder: { organization, project, stack, resource },
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
  { ownerId, identity, clock }: Tagger,
  record?: DeploymentRecord,
  revisions = 1,
): string {
  const found = record && tagOf(record);
  const since = (found?.ownerId === ownerId && found.since) || new Date(clock.now()).toISOString();
  return writtenTag({ ownerId, revisions, since, holder: holderFrom(identity) });
}

/** The tag of a deployment that by now belongs to another resource. */
export function foreignTag(
  { ownerId }: Pick<Tagger, "ownerId">,
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
