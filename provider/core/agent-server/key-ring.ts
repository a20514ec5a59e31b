import { AgentServerError } from "../../errors";
import { shellOperands } from "../../text/shell-word";

/**
 * The keys of agent servers that belong to no deployment. The program specifies the place of each key; no key is in
 * state.
 */
export class KeyRing {
  constructor(
    private readonly config: (key: string) => string | undefined,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /**
   * Returns the value of the configuration key or environment variable of that name, if there is one. Provider plugins
   * receive only the keys of their own namespace.
   */
  find(name: unknown): string | undefined {
    if (typeof name !== "string") return undefined;
    return (this.config(name) ?? this.config(qualifiedKey(name)) ?? this.env[name])?.trim() || undefined;
  }

  /** @throws AgentServerError `missing_credentials` if neither has a value */
  get(name: string): string {
    const key = this.find(name);
    if (key !== undefined) return key;
    throw new AgentServerError(
      "missing_credentials",
      `connection.apiKeyFrom is ${name}, but neither a configuration key nor an environment variable of this name has a value: run \`pulumi config set --secret ${shellOperands(qualifiedKey(name))}\`, which prompts for it, or set the variable.`,
    );
  }
}

/** Returns a configuration key with a namespace: its own, or that of this provider. */
export function qualifiedKey(name: string): string {
  return name.includes(":") ? name : `agentserver:${name}`;
}
