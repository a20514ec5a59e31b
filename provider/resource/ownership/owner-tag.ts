import { partsOfUrn } from "./urn";
import type { Existing } from "./claim";
import type { OwnerIds, ResourceIdentity } from "./owner-id";

/** Keys in the metadata of what belongs to a Pulumi resource. */
const [ownerKey, holderKey] = ["agentserver_owner", "agentserver_resource"];

export type Metadata = Record<string, unknown>;

/** The ownership tag as metadata: the owner id identifies the resource, the holder is shown in messages. */
export function ownerTag({ ownerId, identity }: { ownerId: string; identity: ResourceIdentity }): Metadata {
  return { [ownerKey]: ownerId, [holderKey]: holderOf({ identity }) };
}

/** Name of a resource for people: organization, project, stack and name. */
export function holderOf({ identity }: { identity: ResourceIdentity }): string {
  const { project, stack, name } = partsOfUrn(identity.urn);
  const place = [identity.organization ?? "", project, stack].filter((part) => part !== "").join("/");
  return `${place}:${name}`;
}

/**
 * Searches for everything that carries a resource's tag.
 * @param search finds what has these entries in its metadata; some servers ignore the filter
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

/** The owner id in metadata, if it has one. */
export function ownerOf(metadata: Metadata | null | undefined): string | undefined {
  const owner = metadata?.[ownerKey];
  return typeof owner === "string" && owner !== "" ? owner : undefined;
}

/** Returns the owner of something with this metadata, as seen by the resource with these owner ids. */
export function ownerIn(
  metadata: Metadata | null | undefined,
  { ownerId, otherOwnerId }: OwnerIds,
): Pick<Existing, "owner" | "holder"> {
  const owner = ownerOf(metadata);
  if (owner === undefined) return { owner: "none" };
  const isOwn = owner === ownerId || owner === otherOwnerId;
  return isOwn ? { owner: "this" } : { owner: "another", holder: holderIn(metadata) };
}

/** The resource that owns something, in words. */
export function holderIn(metadata: Metadata | null | undefined): string {
  const holder = metadata?.[holderKey];
  return typeof holder === "string" && holder !== "" ? `the resource ${holder}` : "another Pulumi resource";
}

/** Metadata without the tag and without removed keys. */
export function withoutTag(metadata: Metadata | null | undefined): Metadata {
  const own = Object.entries(metadata ?? {}).filter(
    ([key, value]) => key !== ownerKey && key !== holderKey && value !== null,
  );
  return Object.fromEntries(own);
}
