import { namedUuid } from "./named-uuid";
import { partsOfUrn } from "./urn";

/** Namespace of the ids that follow from resources; it never changes. */
const namespace = "5d0b9f3e-7f0a-5c61-9a58-4b1f6f1c2a77";

/** The id of something that a program gives none: the same for a resource in each stack of its project. */
export function derivedId(urn: string): string {
  const { project, name } = partsOfUrn(urn);
  const [, , types = ""] = urn.split("::");
  return namedUuid(namespace, JSON.stringify([project, types, name]));
}
