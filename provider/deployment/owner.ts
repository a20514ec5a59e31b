import { createHash } from "node:crypto";

/**
 * The mark by which a resource knows its own deployment again. It follows from the resource's URN and its
 * stack's organization, so that the next `up` finds what a create made that was killed before the engine could
 * keep anything.
 */
export function ownerIdOf(urn: string, organization: string | undefined): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([organization ?? "", urn]))
    .digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`;
}
