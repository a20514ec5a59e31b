import { partsOfUrn } from "./urn";
import type { Existing } from "./claim";
import type { OwnerIds, ResourceIdentity } from "./owner-id";

/** Keys in the metadata of objects that a Pulumi resource owns. */
const [ownerKey, holderKey] = ["agentserver_owner", "agentserver_resource"];

export type Metadata = Record<string, unknown>;

/** Returns the ownership tag as metadata: the owner id identifies the resource, the holder is for messages. */
export function ownerTag({ ownerId, identity }: { ownerId: string; identity: ResourceIdentity }): Metadata {
  return { [ownerKey]: ownerId, [holderKey]: holderOf({ identity }) };
}

/** Returns the name of a resource for messages: organization, project, stack and name. */
export function holderOf({ identity }: { identity: ResourceIdentity }): string {
  const { project, stack, name } = partsOfUrn(identity.urn);
  const place = [identity.organization ?? "", project, stack].filter((part) => part !== "").join("/");
  return `${place}:${name}`;
}

/**
 * Searches for all objects with a resource's tag.
 * @param search finds objects with these entries in their metadata; some servers ignore the filter
 */
export async function findOwn<Found extends { metadata?: Metadata | null | undefined }>(
  { ownerId, otherOwnerId }: OwnerIds,
  search: (filter: Metadata) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const id of [ownerId, otherOwnerId])
    if (id !== undefined)
      found.push(...(await search({ [ownerKey]: id })).filter(({ metadata }) => ownerOf(metadata) === id));
  return found;
}

/** Removes a tag from metadata that is merged. */
export const emptyTag: Metadata = { [ownerKey]: null, [holderKey]: null };

/** Returns the owner id in metadata, if there is one. */
export function ownerOf(metadata: Metadata | null | undefined): string | undefined {
  const owner = metadata?.[ownerKey];
  return typeof owner === "string" && owner !== "" ? owner : undefined;
}

/** Returns the owner of an object with this metadata, relative to the resource with these owner ids. */
export function ownerIn(
  metadata: Metadata | null | undefined,
  { ownerId, otherOwnerId }: OwnerIds,
): Pick<Existing, "owner" | "holder"> {
  const owner = ownerOf(metadata);
  if (owner === undefined) return { owner: "none" };
  const isOwn = owner === ownerId || owner === otherOwnerId;
  return isOwn ? { owner: "this" } : { owner: "another", holder: holderIn(metadata) };
}

/** Describes the resource that owns an object. */
export function holderIn(metadata: Metadata | null | undefined): string {
  const holder = metadata?.[holderKey];
  return typeof holder === "string" && holder !== "" ? `the resource ${holder}` : "another Pulumi resource";
}

/** Returns metadata without the tag and without removed keys. */
export function withoutTag(metadata: Metadata | null | undefined): Metadata {
  const own = Object.entries(metadata ?? {}).filter(
    ([key, value]) => key !== ownerKey && key !== holderKey && value !== null,
  );
  return Object.fromEntries(own);
}
