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
  if (typeof members !== "object" || members === null || Array.isArray(members))
    throw new Error(`${field} must be an object: the name of each member, and its arguments.`);
  for (const [name, args] of Object.entries(members)) {
    if (!/^[\w.-]+$/.test(name))
      throw new Error(`${field}: the name "${name}" must consist of letters, digits, ".", "_" and "-".`);
    if (typeof args !== "object" || args === null)
      throw new Error(`${field}.${name} must be an object with the arguments of that member.`);
    for (const place of ["deployment", "connection"])
      if (place in args) throw new Error(`${field}.${name}.${place} is the service's own; leave it out.`);
  }
  return Object.entries(members);
}
