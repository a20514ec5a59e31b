import { partsOfUrn } from "./urn";
import type { Existing } from "./claim";
import type { OwnerIds, ResourceIdentity } from "./owner-id";

/** Keys in the metadata of objects that a Pulumi resource owns. */
const [ownerKey, holderKey, earlierKey] = [
  "agentserver_owner",
  "agentserver_resource",
  "agentserver_renamed_from",
];

export type Metadata = Record<string, unknown>;

/** Returns the ownership tag as metadata. The owner ID identifies the resource; the holder is used in messages. */
export function ownerTag({ ownerId, identity }: { ownerId: string; identity: ResourceIdentity }): Metadata {
  return { [ownerKey]: ownerId, [holderKey]: holderOf({ identity }) };
}

/**
 * Returns the tag for an existing object. During a rename, it also contains the previous owner ID, so that the resource
 * recognizes its object if the update is interrupted and the rename is reverted.
 */
export function changedTag(
  resource: OwnerIds & { identity: ResourceIdentity },
  metadata: Metadata | null | undefined,
): Metadata {
  const { otherOwnerId } = resource;
  const isKnown = otherOwnerId !== undefined || metadata?.[earlierKey] != null;
  return { ...ownerTag(resource), ...(isKnown && { [earlierKey]: otherOwnerId ?? null }) };
}

/**
 * Returns the name of a resource for messages, which consists of the organization, project, stack, and resource name.
 */
export function holderOf({ identity }: { identity: ResourceIdentity }): string {
  const { project, stack, name } = partsOfUrn(identity.urn);
  const place = [identity.organization ?? "", project, stack].filter((part) => part !== "").join("/");
  return `${place}:${name}`;
}

/**
 * Searches for all objects with a resource's tag.
 * @param search returns the objects with these entries in their metadata; some servers ignore the filter
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

/** Metadata that removes an ownership tag when a server merges it into the current metadata. */
export const emptyTag: Metadata = { [ownerKey]: null, [holderKey]: null, [earlierKey]: null };

/** Returns the owner ID in metadata, if there is one. */
export function ownerOf(metadata: Metadata | null | undefined): string | undefined {
  const owner = metadata?.[ownerKey];
  return typeof owner === "string" && owner !== "" ? owner : undefined;
}

/**
 * Returns the owner of an object with this metadata, from the perspective of a resource.
 * @param isInState true if the object is in state; a tag that an interrupted rename of the resource has written is then
 * accepted as well
 */
export function ownerIn(
  metadata: Metadata | null | undefined,
  resource: OwnerIds & { identity?: ResourceIdentity },
  isInState = false,
): Pick<Existing, "owner" | "holder"> {
  const owner = ownerOf(metadata);
  if (owner === undefined) return { owner: "none" };
  const { ownerId, otherOwnerId } = resource;
  const isOwn = (id: unknown) => id === ownerId || (otherOwnerId !== undefined && id === otherOwnerId);
  // A copy of the state in another stack renames the resource as well, but the object then belongs to that stack.
  const isRenamed =
    isInState && isOwn(metadata?.[earlierKey]) && isOfSameStack(metadata?.[holderKey], resource);
  return isOwn(owner) || isRenamed ? { owner: "this" } : { owner: "another", holder: holderIn(metadata) };
}

/**
 * Returns the owner ID to store in state: the one in the tag if this resource owns the object, or else the resource's
 * current one.
 */
export function recordedOwner(
  metadata: Metadata | null | undefined,
  resource: OwnerIds & { identity: ResourceIdentity },
  isInState: boolean,
): string {
  const isOwn = ownerIn(metadata, resource, isInState).owner === "this";
  return (isOwn ? ownerOf(metadata) : undefined) ?? resource.ownerId;
}

/**
 * True if the holder in a tag is in the same stack as this resource; false if this resource's identity is unknown.
 * @param holder name of the other resource. See {@link holderOf}
 */
export function isOfSameStack(holder: unknown, { identity }: { identity?: ResourceIdentity }): boolean {
  const stackIn = (name: unknown) => String(name).split(":")[0];
  return identity !== undefined && stackIn(holder) === stackIn(holderOf({ identity }));
}

/** Describes the resource that owns an object. */
export function holderIn(metadata: Metadata | null | undefined): string {
  const holder = metadata?.[holderKey];
  return typeof holder === "string" && holder !== "" ? `the resource ${holder}` : "another Pulumi resource";
}

/** Returns metadata without the tag and without removed keys. */
export function withoutTag(metadata: Metadata | null | undefined): Metadata {
  const own = Object.entries(metadata ?? {}).filter(
    ([key, value]) => ![ownerKey, holderKey, earlierKey].includes(key) && value !== null,
  );
  return Object.fromEntries(own);
}
