import { isGiven, isGroup } from "../../provider/resource/inputs/values";
import { requirePlain } from "./plain-args";

/**
 * Validates the members of a component, and returns them keyed by name.
 * @param field name of the members in messages, for example `AgentService "support": crons`
 * @throws Error with the name of the field
 */
export function namedMembers<Args extends object>(
  field: string,
  members: Readonly<Record<string, Args>> | undefined,
): [name: string, args: Args][] {
  if (!isGiven(members)) return [];
  // JavaScript programs may pass any value.
  requirePlain(field, members);
  if (!isGroup(members)) throw new Error(`${field} must be an object that maps names to arguments.`);
  for (const [name, args] of Object.entries(members)) {
    if (!/^[\w.-]+$/.test(name))
      throw new Error(`${field}: the name "${name}" must consist of letters, digits, ".", "_", and "-".`);
    requirePlain(`${field}.${name}`, args);
    if (!isGroup(args))
      throw new Error(`${field}.${name} must be an object with the arguments of that member.`);
    for (const key of ["deployment", "connection"])
      if (key in args) throw new Error(`${field}.${name}.${key} is set by the service; remove it.`);
  }
  return Object.entries(members);
}
