import type { EngineLog } from "../../provider/engine/log";

/** A line of the engine's output. */
export interface Said {
  urn: string;
  severity: "info" | "warning" | "status";
  message: string;
}

/** Engine log that records its lines. */
export class RecordedLog implements EngineLog {
  readonly said: Said[] = [];

  async write(urn: string, severity: "info" | "warning", message: string): Promise<void> {
    this.said.push({ urn, severity, message });
  }

  async status(urn: string, message: string): Promise<void> {
    this.said.push({ urn, severity: "status", message });
  }

  /** Returns the lines with one severity, oldest first. */
  lines(severity: Said["severity"]): string[] {
    return this.said.filter((line) => line.severity === severity).map(({ message }) => message);
  }

  /** Returns the info lines and the warnings, which remain visible in the engine's output after a run. */
  get kept(): string {
    return [...this.lines("info"), ...this.lines("warning")].join("\n");
  }
}
