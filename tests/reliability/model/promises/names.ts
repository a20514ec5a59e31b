import type { Resource } from "../world/scenario";
import { inputsOf } from "../sequence/program";
import { promise } from "./promise";

/** True if two resources of a program conflict: they have the same name, or swap their names. */
function collide([first, second]: Resource[]): boolean {
  if (!first || !second) return false;
  if (first.program.name === second.program.name) return true;
  const [held, other] = [first.kept?.accepted.name, second.kept?.accepted.name];
  return first.program.name === other && second.program.name === held;
}

/**
 * Previews a program with several resources.
 * @returns true if conflicting names were rejected before any change
 */
export async function areNamesRefused(resources: Resource[]): Promise<boolean> {
  const failures: unknown[] = [];
  for (const { stack, program } of resources)
    failures.push(...(await stack.check(inputsOf(program))).failures);
  const wanted = collide(resources);
  promise(
    failures.length > 0 === wanted,
    wanted ? "names that collide were not refused" : `a preview was refused: ${JSON.stringify(failures)}`,
  );
  return wanted;
}
