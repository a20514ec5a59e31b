import { partsOfUrn } from "./urn";
import type { ResourceIdentity } from "./owner-id";

/** Keys in the metadata of what belongs to a Pulumi resource. */
const [ownerKey, holderKey] = ["agentserver_owner", "agentserver_resource"];

type Metadata = Record<string, unknown>;

/** The ownership tag of something that has metadata: by the owner id it is found, and by the holder people know it. */
export function ownerTag({ ownerId, identity }: { ownerId: string; identity: ResourceIdentity }): Metadata {
  const { project, stack, name } = partsOfUrn(identity.urn);
  const place = [identity.organization ?? "", project, stack].filter((part) => part !== "").join("/");
  return { [ownerKey]: ownerId, [holderKey]: `${place}:${name}` };
}

/** The part of the tag that things of one resource are found by. */
export function ownerFilter(ownerId: string): Metadata {
  return { [ownerKey]: ownerId };
}

/** What takes a tag away, where metadata is merged. */
export const emptyTag: Metadata = { [ownerKey]: null, [holderKey]: null };

/** The owner id in metadata, if it has one. */
export function ownerOf(metadata: Metadata | null | undefined): string | undefined {
  const owner = metadata?.[ownerKey];
  return typeof owner === "string" && owner !== "" ? owner : undefined;
}

/** Whom something belongs to, in words. */
export function holderIn(metadata: Metadata | null | undefined): string {
  const holder = metadata?.[holderKey];
  return typeof holder === "string" && holder !== "" ? `the resource ${holder}` : "another Pulumi resource";
}

/** Metadata without the tag, and without what has been taken away. */
export function withoutTag(metadata: Metadata | null | undefined): Metadata {
  const own = Object.entries(metadata ?? {}).filter(
    ([key, value]) => key !== ownerKey && key !== holderKey && value !== null,
  );
  return Object.fromEntries(own);
}
