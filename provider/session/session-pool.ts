import type { Clock } from "../clock";
import { settings, type ConfigReader } from "../control-plane/connection";
import { Session, type SessionOptions } from "./session";

/** The sessions of a process: all kinds of resources share the one of their common configuration. */
export class Sessions {
  private last?: { configured: string | undefined; session: Session };

  constructor(private readonly options: Omit<SessionOptions, "config">) {}

  get clock(): Clock {
    return this.options.clock;
  }

  /** The session of a configuration, the same one for as long as nothing in it changes. Never throws. */
  of(config: ConfigReader): Session {
    const configured = valuesIn(config);
    if (!this.last || configured === undefined || configured !== this.last.configured)
      this.last = { configured, session: new Session({ ...this.options, config }) };
    return this.last.session;
  }
}

/** What is configured; nothing where it cannot be read, which the session says when it is used. */
function valuesIn(config: ConfigReader): string | undefined {
  try {
    return JSON.stringify(settings.map((setting) => config(setting) ?? null));
  } catch {
    return undefined;
  }
}
