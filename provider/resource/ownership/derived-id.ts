import type { AgentServerChecks } from "../checks";
import { failure } from "../inputs/finding";
import type { DesiredInputs } from "../inputs/wanted";
import type { AnyKind } from "../kind";
import { serverPaths } from "../server";
import { partsOfUrn } from "./urn";
import { createHash } from "node:crypto";

/** Namespace of the IDs that are derived from resources. It never changes. */
const namespace = "5d0b9f3e-7f0a-5c61-9a58-4b1f6f1c2a77";

/** Derives an ID from the parts of a URN that are the same in each stack of the project. */
function derivedId(urn: string): string {
  const { project, name } = partsOfUrn(urn);
  const [, , types = ""] = urn.split("::");
  return namedUuid(namespace, JSON.stringify([project, types, name]));
}

/** Returns the version 5 UUID of a name in a namespace. */
export function namedUuid(space: string, name: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(space.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString("hex").slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * Computes the ID of a resource if the program does not specify one. The ID is derived once, and does not change after
 * renames and moves.
 */
export function keptOrDerivedId(input: string): NonNullable<AnyKind["computed"]> {
  return (inputs, { urn, olds }) =>
    Promise.resolve({
      values: inputs[input] === undefined ? { [input]: olds[input] ?? derivedId(urn) } : {},
      findings: [],
    });
}

/** Returns a check that no two resources in a program have the same ID on a server. */
export function distinctIds(input: string): NonNullable<AgentServerChecks["compareResources"]> {
  const firstWith = firstResources();
  return (wanted, { urn }) => {
    const id = wanted.text(input);
    if (id === undefined || serverPaths.every((path) => wanted.knownValue(path) === undefined)) return [];
    const other = firstWith(wanted, id.toLowerCase(), urn);
    if (other === urn) return [];
    return [
      failure(input, `is also the ID of the resource "${partsOfUrn(other).name}"; specify a different one`),
    ];
  };
}

/**
 * Returns a check for kinds that find their objects by owner ID. The check fails if a resource was renamed, its objects
 * still have the tag with the previous owner ID, and another resource in the program now has that owner ID. Both
 * resources would otherwise own the same objects.
 */
export function distinctOwners(): NonNullable<AgentServerChecks["compareResources"]> {
  const firstWith = firstResources();
  return (wanted, { urn, ownerId, otherOwnerId = ownerId }) => {
    const first = firstWith(wanted, ownerId, urn);
    const earlier = firstWith(wanted, otherOwnerId, urn);
    const [renamed, successor] = first === urn ? [urn, earlier] : [first, urn];
    if (renamed === successor) return [];
    const [one, other] = [renamed, successor].map((urn) => partsOfUrn(urn).name);
    return [
      failure(
        "",
        `the resource "${one}" was renamed or moved, and its objects keep their previous ownership tag until its next update. The resource "${other}" would have the same tag and own the same objects, so give it another name until then`,
      ),
    ];
  };
}

/**
 * Returns a function that records the URN of a resource with an ID on a server, and returns the first URN that was
 * recorded for the same ID and server.
 */
function firstResources(): (wanted: DesiredInputs, id: string, urn: string) => string {
  const urns = new Map<string, string>();
  return (wanted, id, urn) => {
    const key = JSON.stringify([...serverPaths.map((path) => wanted.knownValue(path)), id]);
    const first = urns.get(key) ?? urn;
    urns.set(key, first);
    return first;
  };
}
