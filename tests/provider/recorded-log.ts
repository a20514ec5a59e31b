import type { EngineLog } from "../../provider/engine/log";

/** One line that the engine would show. */
export interface Said {
  urn: string;
  severity: "info" | "warning" | "status";
  message: string;
}

/** An engine's log that keeps what it is given. */
export class RecordedLog implements EngineLog {
  readonly said: Said[] = [];

  async say(urn: string, severity: "info" | "warning", message: string): Promise<void> {
    this.said.push({ urn, severity, message });
  }

  async status(urn: string, message: string): Promise<void> {
    this.said.push({ urn, severity: "status", message });
  }

  /** The lines of one kind, oldest first. */
  lines(severity: Said["severity"]): string[] {
    return this.said.filter((line) => line.severity === severity).map(({ message }) => message);
  }

  /** Everything that stays in the engine's output. */
  get kept(): string {
    return [...this.lines("info"), ...this.lines("warning")].join("\n");
  }
}
