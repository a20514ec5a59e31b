import type { EnvironmentArgs, EnvironmentsArgs } from "./environments-args";
import { gateOf, type Gate } from "./gate";
import { isImmutable } from "./promotion";

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
export function planned(component: string, args: EnvironmentsArgs): Planned[] {
  const faults = [...faultsOfAll(args)];
  if (faults.length > 0) throw new Error(`${component}: ${faults[0]}`);
  const made: Planned[] = [];
  for (const [index, one] of args.environments.entries()) {
    const { environment, name = `${args.name}-${environment}` } = one;
    const [fault] = faultsOfOne(args, one, made);
    if (fault) throw new Error(`${component}: environments[${index}]${fault}`);
    const gate = one.gate && gateOf(`${component}: environments[${index}].gate`, one.gate);
    const isDeclared = made.at(-1)?.isDeclared !== false && gate?.approved !== null;
    made.push({ environment, name, gate, args: one, isDeclared });
  }
  return made;
}

/** What is wrong with what is said for all; a program in JavaScript may say anything. */
function* faultsOfAll(args: unknown): Generator<string> {
  if (typeof args !== "object" || args === null) {
    yield "needs arguments: name, source, sourceConfig, sourceRevisionConfig, environments.";
    return;
  }
  const { name, source, sourceRevisionConfig, environments } = args as Record<string, unknown>;
  if (typeof name !== "string" || name === "")
    yield "name is missing; the names of the deployments begin with it.";
  if (typeof source !== "string" || !sources.includes(source))
    yield `source must be one of ${sources.join(", ")}: of others nobody can say what would be promoted.`;
  if (typeof sourceRevisionConfig !== "object" || sourceRevisionConfig === null) {
    yield "sourceRevisionConfig is missing.";
    return;
  }
  const { imageUri } = sourceRevisionConfig as Record<string, unknown>;
  if (source === "external_docker" && typeof imageUri === "string" && !isImmutable(imageUri))
    yield `sourceRevisionConfig.imageUri ${imageUri} must name its digest (…@sha256:…), since a tag may move.`;
  if (!Array.isArray(environments) || environments.length === 0)
    yield "environments must be a list with at least one environment, in the order of promotion.";
}

/** What is wrong with one environment, after those before it. */
function* faultsOfOne(
  { name: base, source, rollout }: EnvironmentsArgs,
  one: EnvironmentArgs,
  before: readonly Planned[],
): Generator<string> {
  const { environment, name = `${base}-${environment}`, gate } = one;
  if (typeof (environment as unknown) !== "string" || !/^[\w.-]+$/.test(environment))
    yield `.environment must consist of letters, digits, ".", "_" and "-".`;
  if (before.some((other) => other.environment === environment))
    yield `.environment: there are two environments "${environment}".`;
  const same = before.find((other) => other.name === name);
  if (same) yield `.name: "${name}" is the deployment of "${same.environment}" already.`;
  for (const field of ["source", "sourceRevisionConfig", "agent"])
    if (field in one) yield `.${field} is the same in all environments; leave it out.`;
  if (gate && before.length === 0) yield ".gate: the first environment gets what the program says.";
  if (gate && source === "internal_source")
    yield ".gate: what a folder held before is not kept, so nothing can be held back; use the source github or external_docker.";
  const wanted = one.rollout ?? rollout;
  if (wanted && "wait" in wanted && wanted.wait === false)
    yield ".rollout.wait must not be false: only what has settled is promoted.";
}
