import * as pulumi from "@pulumi/pulumi";
import { keepAlive } from "./keep-alive";
import type * as Redaction from "../../provider/core/redaction";
import type * as Functions from "../../provider/lookup/functions";
import type * as LookUp from "../../provider/lookup/lookup";
import type * as RunFunction from "../../provider/lookup/run-function";
import { pluginScope } from "../registration";
import { programStack } from "../program-stack";
import type { Finding } from "../../provider/resource/inputs/finding";
import type * as Shape from "../../provider/resource/inputs/shape";

/* eslint-disable @typescript-eslint/no-require-imports -- Programs that only declare resources do not load the HTTP client. */

/**
 * Functions of Pulumi's SDK, including one that the SDK's types omit. While a component is constructed, these functions
 * read the configuration of the component.
 */
type Runtime = typeof pulumi.runtime & { isConfigSecret: (key: string) => boolean };

/** Context of a function call in the program. */
interface RunContext extends RunFunction.PromotionContext {
  /** Component that messages are logged for. */
  component?: pulumi.Resource;
}

/** Runs a function with the connection in the `agentserver` configuration. */
export async function run<Name extends Functions.FunctionName>(
  name: Name,
  args: Functions.FunctionArgs<Name>,
  { component, ...promotion }: RunContext = {},
): Promise<RunFunction.RunResult<Name>> {
  const { lookUpsWith } = require("../../provider/lookup/lookup") as typeof LookUp;
  const { runFunction } = require("../../provider/lookup/run-function") as typeof RunFunction;
  const { displayRedactor } = require("../../provider/core/redaction") as typeof Redaction;
  requireValid(name, args);
  const config = new pulumi.Config("agentserver");
  const lookUps = lookUpsWith({ config: (key) => config.get(key), keys: configValue, env: process.env });
  const redact = displayRedactor([...lookUps.secrets(args), ...secretConfig()]);
  const release = keepAlive();
  return runFunction(name, args, {
    lookUps,
    isPreview: pulumi.runtime.isDryRun(),
    config: { ...programConfig, stack: programStack() },
    env: process.env,
    warn: (text) => void pulumi.log.warn(text),
    inform: (text) => void pulumi.log.info(redact(text), component),
    redact,
    signal: pluginScope.getStore()?.signal,
    ...promotion,
  }).finally(release);
}

/**
 * Runs a function for a component. If the component belongs to the provider plugin, the engine runs the function with
 * the component's provider.
 */
export async function runFor<Name extends Functions.FunctionName>(
  component: pulumi.Resource,
  name: Name,
  args: Functions.FunctionArgs<Name>,
): Promise<RunFunction.RunResult<Name>> {
  const scope = pluginScope.getStore();
  if (!scope) return run(name, args);
  const options = { ...scope.options, parent: component };
  const result: unknown = await pulumi.runtime.invoke(`agentserver:index:${name}`, args, options);
  return result as RunFunction.RunResult<Name>;
}

/**
 * Rejects the arguments of a function if they are not valid.
 * @throws Error with the name of the first invalid argument
 */
export function requireValid<Name extends Functions.FunctionName>(
  name: Name,
  args: Functions.FunctionArgs<Name>,
): void {
  const { functionShapes } = require("../../provider/lookup/functions") as typeof Functions;
  const { shapeFindings } = require("../../provider/resource/inputs/shape") as typeof Shape;
  // A program may pass an object with additional properties.
  const [finding] = shapeFindings(functionShapes[name].inputs.strip(), args);
  if (finding) throw new Error(argumentMessage(name, args, finding));
}

/** Configuration of the program. */
const programConfig = { get: configValue, keyOf: (key: string) => key };

/** Returns the secret values of the configuration. */
function secretConfig(): string[] {
  const { allConfig, isConfigSecret } = pulumi.runtime as Runtime;
  return Object.entries(allConfig()).flatMap(([key, value]) => (isConfigSecret(key) ? [value] : []));
}

/** Returns the message about an invalid argument, including its value if the value is a number or a list. */
function argumentMessage(name: string, args: object, { property, reason }: Finding): string {
  if (property === "") return `${name} ${reason}.`;
  const value = (args as Record<string, unknown>)[property];
  const shown = typeof value === "number" ? `, not ${value}` : "";
  const listed = Array.isArray(value) ? `: ${JSON.stringify(value)}` : "";
  return `${name}: ${property} ${reason}${shown}${listed}.`;
}

/** Returns the value of a configuration key, by default from the namespace of this project. */
function configValue(name: string): string | undefined {
  const [namespace, key] = name.includes(":") ? name.split(/:(.*)/s) : [undefined, name];
  return new pulumi.Config(namespace).get(key);
}
