import { createHash } from "node:crypto";
import { dynamicType, typeNameOf } from "./type-token";

/** Identity of a resource. */
export interface ResourceIdentity {
  /** URN of the resource, which consists of the project, the stack, the types of its parents, and the name. */
  urn: string;
  /** Organization of the stack. */
  organization?: string;
  /** Location of the stack, for backends in which stack names are not unique. */
  backend?: string;
}

/** The owner IDs of a resource. The resource owns objects with either of these IDs in their tag. */
export interface OwnerIds {
  /** The owner ID that the resource writes to ownership tags. */
  ownerId: string;
  /** During a rename: the owner ID before or after the rename, whichever is not `ownerId`. */
  otherOwnerId?: string | undefined;
}

/**
 * Returns the ID that a resource writes to its ownership tags. It is derived from the resource's identity, so that the
 * next `pulumi up` finds objects of an interrupted create that are not in state. The first half identifies the URN, and
 * the second half identifies the location of the stack.
 * @param known the owner ID before a rename, whose second half is kept, because not every host knows the location
 */
export function ownerIdOf({ urn, organization = "", backend }: ResourceIdentity, known?: string): string {
  const place = known === undefined ? digestOf([organization, backend]) : known.slice(19).replace("-", "");
  const hash = digestOf([urnOfDynamicHost(urn)]) + place;
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20)}`;
}

/**
 * Returns the URN that the resource has with the dynamic provider. Owner IDs are derived from this URN, so that a move
 * between the provider plugin and the dynamic provider does not count as a rename.
 */
function urnOfDynamicHost(urn: string): string {
  const [stack = "", project = "", types = "", ...name] = urn.split("::");
  const ofDynamicHost = types.split("$").map((type) => {
    const typeName = typeNameOf(type);
    return typeName === undefined ? type : dynamicType(typeName);
  });
  return [stack, project, ofDynamicHost.join("$"), ...name].join("::");
}

function digestOf(values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
}
