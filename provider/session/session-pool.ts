import type { Clock } from "../clock";
import { type ConfigReader, explicitProviderKey } from "../control-plane/connection";
import { settings } from "../control-plane/setting-names";
import { Session, type SessionOptions } from "./session";

/** Sessions of a process. Resources of all kinds share the session for a configuration. */
export class SessionPool {
  private last?: { configured: string | undefined; session: Session };

  constructor(private readonly options: Omit<SessionOptions, "config" | "configuredSecrets">) {}

  get clock(): Clock {
    return this.options.clock;
  }

  /**
   * Returns the session for a configuration. The session stays the same until the configuration changes. Never throws.
   * @param secrets secret values of the configuration
   */
  of(config: ConfigReader, secrets: readonly string[] = []): Session {
    const configured = valuesIn(config, secrets);
    if (!this.last || configured === undefined || configured !== this.last.configured)
      this.last = {
        configured,
        session: new Session({ ...this.options, config, configuredSecrets: secrets }),
      };
    return this.last.session;
  }
}

/**
 * Returns all configured values as one string; `undefined` if they cannot be read. In that case, the session reports
 * the error when it is used.
 */
function valuesIn(config: ConfigReader, secrets: readonly string[]): string | undefined {
  try {
    return JSON.stringify([
      ...([...settings, explicitProviderKey] as const).map((setting) => config(setting) ?? null),
      secrets,
    ]);
  } catch {
    return undefined;
  }
}
