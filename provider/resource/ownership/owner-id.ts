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

/**
 * The id that a resource puts into the ownership tag of its deployment. It follows from the resource's identity, so
 * that the next `up` finds what a create made that was killed before the engine could keep anything.
 */
export function ownerIdOf({ urn, organization = "", backend }: ResourceIdentity): string {
  const identity = backend === undefined ? [organization, urn] : [organization, urn, backend];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`;
}
