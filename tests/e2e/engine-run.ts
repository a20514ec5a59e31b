import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { until } from "./waiting";

/** Something that the engine says about one resource, or about the stack when there is no urn. */
export interface Diagnostic {
  urn?: string;
  severity: string;
  message: string;
  /** Shown in the status column only. */
  ephemeral?: boolean;
}

/** One line of the engine's event log. */
export interface EngineEvent {
  diagnosticEvent?: Diagnostic;
  summaryEvent?: { resourceChanges: Record<string, number> };
  resourcePreEvent?: { metadata: { op: string; urn: string } };
  policyEvent?: { resourceUrn?: string; message: string; policyName: string; enforcementLevel: string };
}

/** One run of the engine, from its start to its end. */
export class EngineRun {
  stdout = "";
  stderr = "";
  /** The exit code; nothing while it runs, and when a signal has ended it. */
  code: number | undefined;
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;

  constructor(
    pulumi: string,
    words: string[],
    private readonly place: { cwd: string; env: NodeJS.ProcessEnv; eventLog: string },
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

  /** All that a user gets to read. */
  get output(): string {
    return this.stdout + this.stderr;
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The events so far, without what the engine and its SDK write for their own developers. */
  get events(): EngineEvent[] {
    if (!existsSync(this.place.eventLog)) return [];
    const lines = readFileSync(this.place.eventLog, "utf8").split("\n");
    // What stands behind the last line break is not written to its end yet.
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as EngineEvent);
    return events.filter(({ diagnosticEvent }) => diagnosticEvent?.severity !== "debug");
  }

  get diagnostics(): Diagnostic[] {
    return this.events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  }

  /** How many resources were created, updated and so on. */
  get changes(): Record<string, number> | undefined {
    return this.events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges;
  }

  /** The steps in their order, such as `create agent`. */
  get steps(): string[] {
    return this.events
      .flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? [])
      .filter(({ urn }) => !urn.includes("pulumi:pulumi:Stack"))
      .map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`);
  }

  /** Waits until this is so; a run that ends before has failed to bring it about. */
  async reaches(condition: () => boolean): Promise<void> {
    await until(() => condition() || this.isOver);
    if (!condition()) throw new Error(`The run ended before that came about:\n${this.output}`);
  }

  /** Presses Ctrl-C once, as often as a terminal would send it: to the engine alone. */
  interrupt(): void {
    this.child.kill("SIGINT");
  }

  /** Ends the run whatever it is doing, with all that is in its process group. */
  kill(): void {
    if (!this.isOver) process.kill(-this.child.pid!, "SIGKILL");
  }
}
