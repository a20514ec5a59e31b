import type { Clock } from "../clock";
import { settings, type ConfigReader } from "../control-plane/connection";
import { Session, type SessionOptions } from "./session";

/** Sessions of a process: all kinds of resources share the one of their common configuration. */
export class SessionPool {
  private last?: { configured: string | undefined; session: Session };

  constructor(private readonly options: Omit<SessionOptions, "config">) {}

  get clock(): Clock {
    return this.options.clock;
  }

  /** Returns the session of a configuration, which is the same one until the configuration changes. Never throws. */
  of(config: ConfigReader): Session {
    const configured = valuesIn(config);
    if (!this.last || configured === undefined || configured !== this.last.configured)
      this.last = { configured, session: new Session({ ...this.options, config }) };
    return this.last.session;
  }
}

/** Returns the configured values; `undefined` if they cannot be read, which the session reports when it is used. */
function valuesIn(config: ConfigReader): string | undefined {
  try {
    return JSON.stringify(settings.map((setting) => config(setting) ?? null));
  } catch {
    return undefined;
  }
}
