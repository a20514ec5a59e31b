import type { DeploymentRecord } from "../../wire";
import { isTagListed, reportedSecrets, reportedTag } from "./mapping";

/** What the ownership tag of a deployment says. */
export interface OwnershipTag {
  /** The resource that the deployment belongs to. */
  ownerId: string;
  /**
   * Revisions that creates of that resource have made without coming to their end. A deployment with more of them has
   * been changed since, and so is in somebody's state.
   */
  revisions: number;
}

/** The tag as it travels. */
export function writtenTag({ ownerId, revisions }: OwnershipTag): string {
  return revisions === 1 ? ownerId : `${ownerId}/${revisions}`;
}

/** The tag of a deployment; nothing when it has none or the server does not report it. */
export function tagOf(record: DeploymentRecord): OwnershipTag | undefined {
  const [, ownerId, revisions = "1"] = /^(.+?)(?:\/(\d{1,6}))?$/s.exec(reportedTag(record) ?? "") ?? [];
  return ownerId === undefined ? undefined : { ownerId, revisions: Number(revisions) };
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
