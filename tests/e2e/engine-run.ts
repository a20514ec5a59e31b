import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { until } from "./waiting";

/** A message from the engine about one resource, or about the stack if there is no URN. */
export interface Diagnostic {
  urn?: string;
  severity: string;
  message: string;
  /** True if the message is shown only in the status column. */
  ephemeral?: boolean;
}

/** One line of the engine's event log. */
export interface EngineEvent {
  diagnosticEvent?: Diagnostic;
  summaryEvent?: { resourceChanges: Record<string, number> };
  resourcePreEvent?: { metadata: { op: string; urn: string } };
  policyEvent?: { resourceUrn?: string; message: string; policyName: string; enforcementLevel: string };
}

/** A process that runs a command of the engine. */
export class EngineRun {
  stdout = "";
  stderr = "";
  /** Exit code; `undefined` while the engine is running, or if it was terminated by a signal. */
  code: number | undefined;
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;

  constructor(
    pulumi: string,
    words: string[],
    private readonly place: { cwd: string; env: NodeJS.ProcessEnv; eventLog?: string },
  ) {
    this.child = spawn(pulumi, words, {
      cwd: place.cwd,
      env: place.env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout!.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    this.child.stderr!.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", (code) => {
        this.code = code ?? undefined;
        resolve();
      });
    });
  }

  /** Returns all output that the user sees. */
  get output(): string {
    return this.stdout + this.stderr;
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Returns the events so far, without those that are intended for developers of the engine and its SDK. */
  get events(): EngineEvent[] {
    const { eventLog } = this.place;
    if (eventLog === undefined || !existsSync(eventLog)) return [];
    const lines = readFileSync(eventLog, "utf8").split("\n");
    // The text after the last line break is incomplete.
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as EngineEvent);
    return events.filter(({ diagnosticEvent }) => diagnosticEvent?.severity !== "debug");
  }

  get diagnostics(): Diagnostic[] {
    return this.events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  }

  /** Returns the number of resources per operation, such as created or updated. */
  get changes(): Record<string, number> | undefined {
    return this.events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges;
  }

  /** Returns the steps in order, such as `create agent`. */
  get steps(): string[] {
    return this.events
      .flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? [])
      .filter(({ urn }) => !urn.includes("pulumi:pulumi:Stack"))
      .map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`);
  }

  /** Waits until the condition is met. Rejects if the run finishes first. */
  async reaches(condition: () => boolean): Promise<void> {
    await until(() => condition() || this.isOver);
    if (!condition()) throw new Error(`The run ended before that came about:\n${this.output}`);
  }

  /** Sends Ctrl-C once to all processes that are still in the run's process group, in the same way as a terminal. */
  interrupt(): void {
    process.kill(-this.child.pid!, "SIGINT");
  }

  /** Kills the run and its process group. */
  kill(): void {
    if (!this.isOver) process.kill(-this.child.pid!, "SIGKILL");
  }
}
