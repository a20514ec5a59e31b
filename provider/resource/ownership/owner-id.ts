import { createHash } from "node:crypto";
import { dynamicType, typeNameOf } from "./type-token";

/** Identity of a resource. */
export interface ResourceIdentity {
  /** URN of the resource: project, stack, types of its parents and name. */
  urn: string;
  /** Organization of the stack. */
  organization?: string;
  /** Location of the stack, for backends in which names of stacks are not unique. */
  backend?: string;
}

/** The owner ids of a resource, which owns objects with either of them in their tag. */
export interface OwnerIds {
  /** The owner id that the resource writes to ownership tags. */
  ownerId: string;
  /** During a rename, the owner id before or after the rename, whichever is not `ownerId`. */
  otherOwnerId?: string | undefined;
}

/**
 * Returns the id that a resource writes to its ownership tags. It is derived from the resource's identity, so that the
 * next `up` finds objects of an interrupted create for which the engine has no state. The first half identifies the
 * URN, the second half the location of the stack.
 * @param known the owner id before a rename: its second half is kept, because not every host knows the location
 */
export function ownerIdOf({ urn, organization = "", backend }: ResourceIdentity, known?: string): string {
  const place = known === undefined ? digestOf([organization, backend]) : known.slice(19).replace("-", "");
  const hash = digestOf([urnOfDynamicHost(urn)]) + place;
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20)}`;
}

/** Returns the URN that the resource has in the dynamic provider, so that a change of the host is not a rename. */
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
