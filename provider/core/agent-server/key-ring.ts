import { AgentServerError } from "../../errors";
import { explicitProviderKey } from "../../control-plane/connection";
import { configCommand } from "../../text/config-command";

/**
 * API keys for the `apiKeyFrom` inputs of a program. Each input is the name of a configuration key or environment
 * variable. State never contains keys.
 */
export class KeyRing {
  constructor(
    private readonly config: (key: string) => string | undefined,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /**
   * Returns the value of the configuration key or environment variable with this name, if it exists. Provider plugins
   * receive only configuration keys in their own namespace.
   */
  find(name: unknown): string | undefined {
    if (typeof name !== "string") return undefined;
    const variable = Object.hasOwn(this.env, name) ? this.env[name] : undefined;
    return (this.config(name) ?? this.config(qualifiedKey(name)) ?? variable)?.trim() || undefined;
  }

  /**
   * Returns the value of the configuration key or environment variable with this name.
   * @throws AgentServerError `missing_credentials` if neither the configuration nor the environment contains it
   */
  get(name: string): string {
    const key = this.find(name);
    if (key !== undefined) return key;
    const provider = this.config(`agentserver:${explicitProviderKey}`);
    if (provider !== undefined)
      throw new AgentServerError(
        "missing_credentials",
        `connection.apiKeyFrom is ${name}, but neither a setting of the explicit provider "${provider}" nor an environment variable of this name has a value. Set the environment variable or, if the program's SDK supports it, the setting of the provider.`,
      );
    throw new AgentServerError(
      "missing_credentials",
      `connection.apiKeyFrom is ${name}, but neither a configuration key nor an environment variable of this name has a value: run \`${configCommand({ isSecret: true }, qualifiedKey(name))}\`, which prompts for it, or set the variable.`,
    );
  }
}

/** Returns a configuration key with its namespace. If the name contains no namespace, adds the provider's. */
export function qualifiedKey(name: string): string {
  return name.includes(":") ? name : `agentserver:${name}`;
}
