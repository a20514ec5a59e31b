import { isDeepStrictEqual } from "node:util";
import type { EnvironmentArgs, EnvironmentsArgs } from "./environments-args";
import type * as ConnectionInputs from "../../provider/control-plane/connection-inputs";
import type * as Gate from "../../provider/promotion/gate";
import type * as Shape from "../../provider/resource/inputs/shape";
import type { OtherControlPlane } from "../other-control-plane";
import { withoutFunctions } from "../functions/promote";
import { isImmutable } from "../../provider/promotion/artifact";
import { requirePlain } from "./plain-args";

/* eslint-disable @typescript-eslint/no-require-imports -- Programs that only declare resources do not load the schemas. */

/** Validated arguments of one environment. */
export interface PlannedEnvironment {
  environment: string;
  /** Name of the environment's deployment. */
  name: string;
  args: EnvironmentArgs;
  /** Control plane of the environment's deployment, if it is not the configured one. */
  connection: OtherControlPlane | undefined;
}

const sources = ["github", "external_docker", "internal_source"];

/**
 * Validates the arguments, and returns the environments in the order of promotion.
 * @param component name of the component in messages
 * @throws Error with the name of the field
 */
export function planEnvironments(component: string, args: EnvironmentsArgs): PlannedEnvironment[] {
  requirePlainFields(
    `${component}: `,
    args,
    "name",
    "source",
    "sourceConfig",
    "sourceRevisionConfig",
    "connection",
    "environments",
  );
  const errors = [...commonErrors(args)];
  if (errors.length > 0) throw new Error(`${component}: ${errors[0]}`);
  const result: PlannedEnvironment[] = [];
  for (const [index, one] of args.environments.entries()) {
    const path = `${component}: environments[${index}]`;
    requirePlain(path, one);
    requirePlainFields(`${path}.`, one, "environment", "name", "sourceConfig", "connection", "gate");
    requirePlainFields(`${path}.gate.`, one.gate, "approved", "approvedFrom");
    const { environment, name = `${args.name}-${environment}` } = one;
    const [error] = environmentErrors(args, one, result);
    if (error) throw new Error(`${path}${error}`);
    result.push({ environment, name, args: one, connection: one.connection ?? args.connection });
  }
  return result;
}

/**
 * Rejects outputs as the values of the fields with these names.
 * @param prefix text before the name of a field in messages
 */
function requirePlainFields(prefix: string, fields: object | undefined, ...names: string[]): void {
  // JavaScript programs may pass any value.
  for (const name of names)
    requirePlain(`${prefix}${name}`, (fields as Record<string, unknown> | undefined)?.[name]);
}

/** Returns the error in a field, if its schema rejects it. */
function errorIn(
  field: string,
  schema: Parameters<typeof Shape.shapeFindings>[0],
  value: unknown,
): string | undefined {
  const { shapeFindings } = require("../../provider/resource/inputs/shape") as typeof Shape;
  const [finding] = shapeFindings(schema, value as object);
  return finding && `.${field}${finding.property && `.${finding.property}`} ${finding.reason}.`;
}

function connectionError(connection: unknown): string | undefined {
  if (connection === undefined) return undefined;
  const { connectionInputs } =
    require("../../provider/control-plane/connection-inputs") as typeof ConnectionInputs;
  return errorIn("connection", connectionInputs, connection);
}

function gateError(gate: NonNullable<EnvironmentArgs["gate"]>): string | undefined {
  const { gateInputs } = require("../../provider/promotion/gate") as typeof Gate;
  const evaluated = withoutFunctions(gate);
  return evaluated && errorIn("gate", gateInputs, evaluated);
}

/** Yields errors in the common arguments, because JavaScript programs may pass any value. */
function* commonErrors(args: unknown): Generator<string> {
  if (typeof args !== "object" || args === null) {
    yield "needs arguments: name, source, sourceConfig, sourceRevisionConfig, environments.";
    return;
  }
  const { name, source, sourceRevisionConfig, environments, connection } = args as Record<string, unknown>;
  if (typeof name !== "string" || name === "")
    yield "name is missing; it is the prefix of the deployment names.";
  if (typeof source !== "string" || !sources.includes(source))
    yield `source must be one of ${sources.join(", ")}, because only these can be promoted.`;
  if (typeof sourceRevisionConfig !== "object" || sourceRevisionConfig === null) {
    yield "sourceRevisionConfig is missing.";
    return;
  }
  const { imageUri } = sourceRevisionConfig as Record<string, unknown>;
  if (source === "external_docker" && typeof imageUri === "string" && !isImmutable(imageUri))
    yield `sourceRevisionConfig.imageUri ${imageUri} must include its digest (…@sha256:…), because tags can change.`;
  if (!Array.isArray(environments) || environments.length === 0)
    yield "environments must be a list with at least one environment, in the order of promotion.";
  const connectionProblem = connectionError(connection)?.slice(1);
  if (connectionProblem !== undefined) yield connectionProblem;
}

/** Yields errors in one environment, including conflicts with the environments before it. */
function* environmentErrors(
  { name: base, source, sourceConfig, rollout, connection: common }: EnvironmentsArgs,
  one: EnvironmentArgs,
  before: readonly PlannedEnvironment[],
): Generator<string> {
  const { environment, name = `${base}-${environment}`, gate } = one;
  if (typeof (environment as unknown) !== "string" || !/^[\w.-]+$/.test(environment))
    yield `.environment must consist of letters, digits, ".", "_", and "-".`;
  if (before.some((other) => other.environment === environment))
    yield `.environment: "${environment}" is used by another environment.`;
  const connection = one.connection ?? common;
  const same = before.find((other) => other.name === name && isDeepStrictEqual(other.connection, connection));
  if (same) yield `.name: "${name}" is already the name of the deployment of "${same.environment}".`;
  for (const field of ["source", "sourceRevisionConfig", "agent"])
    if (field in one) yield `.${field} is the same in all environments; remove it here.`;
  if (one.sourceConfig && "repoUrl" in one.sourceConfig)
    yield ".sourceConfig.repoUrl is the same in all environments; remove it here.";
  if (gate && before.length === 0)
    yield ".gate is not allowed in the first environment, which gets its source from the program.";
  if (gate && source === "internal_source")
    yield ".gate is not supported for folders, because their previous contents are not kept; use a github or external_docker source.";
  const errors = [connectionError(one.connection), gate && gateError(gate)];
  yield* errors.filter((error) => error !== undefined);
  if (before.length > 0 && { ...sourceConfig, ...one.sourceConfig }.buildOnPush === true)
    yield ".sourceConfig.buildOnPush must not be true: a push would bypass the promotion.";
  const effective = one.rollout ?? rollout;
  if (effective && "wait" in effective && effective.wait === false)
    yield ".rollout.wait must not be false: only revisions with a completed rollout are promoted.";
}
