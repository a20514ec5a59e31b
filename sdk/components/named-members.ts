/**
 * The members of a component by their names.
 * @param field as the program says it, for example `AgentService "support": crons`
 * @throws Error that names the field
 */
export function namedMembers<Args extends object>(
  field: string,
  members: Readonly<Record<string, Args>> | undefined,
): [name: string, args: Args][] {
  if (members === undefined) return [];
  // A program in JavaScript may give anything.
  if (!isObject(members))
    throw new Error(`${field} must be an object: the name of each member, and its arguments.`);
  for (const [name, args] of Object.entries(members)) {
    if (!/^[\w.-]+$/.test(name))
      throw new Error(`${field}: the name "${name}" must consist of letters, digits, ".", "_" and "-".`);
    if (!isObject(args))
      throw new Error(`${field}.${name} must be an object with the arguments of that member.`);
    for (const place of ["deployment", "connection"])
      if (place in args) throw new Error(`${field}.${name}.${place} is the service's own; leave it out.`);
  }
  return Object.entries(members);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
