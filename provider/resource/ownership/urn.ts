export interface UrnParts {
  stack: string;
  project: string;
  /** Types of the resource's parents, nearest parent last. */
  parents: string[];
  /** Type of the resource, without the types of its parents. */
  type: string;
  /** Name of the resource in the program. */
  name: string;
}

/** Parses `urn:pulumi:<stack>::<project>::<types>::<name>`; missing parts are empty. */
export function partsOfUrn(urn: string): UrnParts {
  const [, , rest = ""] = /^(urn:pulumi:)(.*)$/s.exec(urn) ?? [];
  const [stack = "", project = "", types = "", ...name] = rest.split("::");
  const chain = types.split("$");
  return { stack, project, parents: chain.slice(0, -1), type: chain.at(-1)!, name: name.join("::") };
}

/** True if a manifest declares the resource, that is, if it is a child of a `Workspace`. */
export function isFromManifest(urn: string): boolean {
  return partsOfUrn(urn).parents.at(-1) === "agentserver:index:Workspace";
}
