import { createHash } from "node:crypto";

/** What a resource is recognized by. */
export interface ResourceIdentity {
  /** URN of the resource: project, stack, types of its parents and name. */
  urn: string;
  /** Organization of the stack. */
  organization?: string;
  /** Where the stack is kept, for backends in which names of stacks are not unique. */
  backend?: string;
}

/** The owner ids of a resource. A tag with either of them is its own. */
export interface OwnerIds {
  /** The one that it writes into ownership tags. */
  ownerId: string;
  /** While a rename is not finished, the one before the rename or after it. */
  otherOwnerId?: string | undefined;
}

/**
 * The id that a resource puts into its ownership tags. It follows from the resource's identity, so that the next `up` finds
 * what an interrupted create left before the engine could keep anything. The first half identifies the URN, the second half
 * the place of the stack.
 * @param known the owner id before a rename: its second half is kept, because not every host knows the place
 */
export function ownerIdOf({ urn, organization = "", backend }: ResourceIdentity, known?: string): string {
  const place = known === undefined ? digestOf([organization, backend]) : known.slice(19).replace("-", "");
  const hash = digestOf([urn]) + place;
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20)}`;
}

function digestOf(values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
}
