import type { EnvironmentArgs, EnvironmentsArgs } from "./environments-args";
import { gateOf, type Gate } from "./gate";
import { isFixed } from "./promotion";

/** One environment as it is to be. */
export interface Planned {
  environment: string;
  /** Name of its deployment. */
  name: string;
  gate?: Gate;
  args: EnvironmentArgs;
  /** Whether it is to be there: nothing is behind a gate that has let nothing through yet. */
  isDeclared: boolean;
}

const sources = ["github", "external_docker", "internal_source"];

/**
 * The environments in their order.
 * @param component as messages name it
 * @throws Error that names the field
 */
export function planned(component: string, args: EnvironmentsArgs | undefined): Planned[] {
  if (typeof args !== "object" || args === null)
    throw new Error(
      `${component} needs arguments: name, source, sourceConfig, sourceRevisionConfig, environments.`,
    );
  const fail = (what: string): never => {
    throw new Error(`${component}: ${what}`);
  };
  const { name, source, sourceRevisionConfig, environments } = args;
  if (typeof name !== "string" || name === "")
    fail("name is missing; the names of the deployments begin with it.");
  if (!sources.includes(source))
    fail(`source must be one of ${sources.join(", ")}: of others nobody can say what would be promoted.`);
  if (typeof sourceRevisionConfig !== "object") fail("sourceRevisionConfig is missing.");
  const { imageUri } = sourceRevisionConfig;
  if (source === "external_docker" && typeof imageUri === "string" && !isFixed(imageUri))
    fail(
      `sourceRevisionConfig.imageUri ${imageUri} must name its digest (…@sha256:…), since a tag may move.`,
    );
  if (!Array.isArray(environments) || environments.length === 0)
    fail("environments must be a list with at least one environment, in the order of promotion.");
  const made: Planned[] = [];
  for (const [index, one] of environments.entries()) {
    const field = `environments[${index}]`;
    const { environment, name: own = `${name}-${environment}`, gate } = one;
    if (typeof environment !== "string" || !/^[\w.-]+$/.test(environment))
      fail(`${field}.environment must consist of letters, digits, ".", "_" and "-".`);
    if (made.some((other) => other.environment === environment))
      fail(`${field}.environment: there are two environments "${environment}".`);
    const same = made.find((other) => other.name === own);
    if (same) fail(`${field}.name: "${own}" is the deployment of "${same.environment}" already.`);
    for (const fixed of ["source", "sourceRevisionConfig", "agent"])
      if (fixed in one) fail(`${field}.${fixed} is the same in all environments; leave it out.`);
    if (gate && index === 0) fail(`${field}.gate: the first environment gets what the program says.`);
    if (gate && source === "internal_source")
      fail(
        `${field}.gate: what a folder held before is not kept, so nothing can be held back; use the source github or external_docker.`,
      );
    for (const rollout of [args.rollout, one.rollout])
      if (rollout && "wait" in rollout && rollout.wait === false)
        fail(`${field}.rollout.wait must not be false: only what has settled is promoted.`);
    const read = gate && gateOf(`${component}: ${field}.gate`, gate);
    const isDeclared = made.at(-1)?.isDeclared !== false && read?.approved !== null;
    made.push({ environment, name: own, gate: read, args: one, isDeclared });
  }
  return made;
}
