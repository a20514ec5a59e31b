import { isForContainers, pick } from "../../../process/allowed-environment";
import type { WireSecret } from "../../../../wire";
import { machineEnvironment } from "../../build/environment";

/**
 * Returns the environment for the command of an engine: the location of the engine, and the user's access to
 * registries.
 */
export function containerEnvironment(own: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return { ...machineEnvironment(own), ...pick(own, isForContainers) };
}

/**
 * Environment variables of a container. Their values are passed to the engine's command in files and in its
 * environment, never as arguments.
 */
export interface Given {
  /** Variables as lines of an environment file. */
  lines: string[];
  /** Variables with multi-line values. The engine's command passes them from its own environment. */
  passed: Record<string, string>;
}

/**
 * Returns the container's variables for the secrets of the deployment. Throws an `Error` if a secret cannot be passed
 * to the container.
 */
export function given(secrets: readonly WireSecret[]): Given {
  const lines: string[] = [];
  const passed: Record<string, string> = {};
  const own = containerEnvironment();
  for (const { name, value } of secrets) {
    if (/[=\s#]/.test(name) || name === "")
      throw new Error(
        `The name of the secret ${JSON.stringify(name)} cannot be the name of a variable in a container.`,
      );
    if (!/[\r\n]/.test(value)) lines.push(`${name}=${value}`);
    else if (name in own)
      throw new Error(
        `The secret ${name} cannot be passed to the container, because its value has several lines and the container engine itself uses a variable with this name. ` +
          "Give the secret another name.",
      );
    else passed[name] = value;
  }
  return { lines, passed };
}

/** Returns the port that the image listens on. Agent servers read it from their environment. */
export function portIn(secrets: readonly WireSecret[]): number {
  const port = Number(secrets.find(({ name }) => name === "PORT")?.value ?? 8000);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 8000;
}
