/** What a URN says of a resource. */
export interface UrnParts {
  stack: string;
  project: string;
  /** Its own type, without those of its parents. */
  type: string;
  /** Its name in the program. */
  name: string;
}

/** Reads `urn:pulumi:<stack>::<project>::<types>::<name>`; what is not there is empty. */
export function partsOfUrn(urn: string): UrnParts {
  const [, , rest = ""] = /^(urn:pulumi:)(.*)$/s.exec(urn) ?? [];
  const [stack = "", project = "", types = "", ...name] = rest.split("::");
  return { stack, project, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
