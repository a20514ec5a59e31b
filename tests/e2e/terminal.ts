import { type ChildProcess, spawn } from "node:child_process";
import { Terminal } from "@xterm/headless";
import { until } from "./waiting";

/** A command in a real terminal with a fixed width. */
export class TerminalRun {
  /** All distinct rows that contained the observed text, in the order of their appearance. */
  readonly seen: string[] = [];
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;
  private readonly screen: Terminal;

  /** @param text text that all observed rows contain */
  constructor(
    words: string[],
    { columns, text, cwd, env }: { columns: number; text: string; cwd: string; env: NodeJS.ProcessEnv },
  ) {
    const rows = 40;
    this.screen = new Terminal({ cols: columns, rows, allowProposedApi: true });
    const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    // This is the only tool for this purpose that every Linux distribution contains.
    this.child = spawn(
      "script",
      [
        "--quiet",
        "--flush",
        "--return",
        "--command",
        `stty cols ${columns} rows ${rows}; exec ${command}`,
        "/dev/null",
      ],
      { cwd, env: { ...env, TERM: "xterm-256color" }, detached: true, stdio: ["pipe", "pipe", "inherit"] },
    );
    this.child.stdout!.setEncoding("utf8").on("data", (output: string) => {
      this.screen.write(output, () => this.look(text));
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", () => resolve());
    });
  }

  /** Returns the lines that are currently on the screen. */
  get lines(): string[] {
    const { active } = this.screen.buffer;
    return Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
  }

  async reaches(condition: () => boolean): Promise<void> {
    const isOver = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await until(() => condition() || isOver());
    if (!condition()) throw new Error(`The command ended before that came about:\n${this.lines.join("\n")}`);
  }

  kill(): void {
    if (this.child.exitCode === null) process.kill(-this.child.pid!, "SIGKILL");
  }

  private look(text: string): void {
    for (const line of this.lines.filter((one) => one.includes(text)))
      if (this.seen.at(-1) !== line) this.seen.push(line);
  }
}
