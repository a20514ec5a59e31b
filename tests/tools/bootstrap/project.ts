import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeFile } from "../temporary-folder";
import { until } from "../waiting";

const tools = join(__dirname, "..", "..", "..", "tools");

/** Output and exit code of a bootstrap run. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Minimal repository that contains our bootstrap and a shell script instead of npm. */
export class Project {
  readonly root = temporaryFolder({
    "package.json": JSON.stringify({ workspaces: ["part"], devDependencies: { node: "24" } }),
    "package-lock.json": "{}",
    "part/package.json": "{}",
    "tools/commands/hello.ts": `console.log("hello", ...process.argv.slice(2))`,
  });
  private readonly started: ChildProcess[] = [];

  constructor() {
    for (const part of ["run.mjs", "lock.cjs", "bootstrap"]) {
      cpSync(join(tools, part), join(this.root, "tools", part), { recursive: true });
    }
    this.withNpm(this.installs);
  }

  /** Shell code that installs the Node.js version that runs this test. */
  get installs(): string {
    const node = `node_modules/node/bin/node`;
    return `/bin/mkdir -p node_modules/node/bin
      printf '#!/bin/sh\\nshift 2\\nexec ${process.execPath} "$@"\\n' > ${node}
      /bin/chmod +x ${node}`;
  }

  withNpm(body: string): this {
    this.write("bin/npm", `#!/bin/sh\necho "$*" >> npm.log\necho $$ > npm.pid\n${body}\n`);
    return this;
  }

  write(path: string, content: string): void {
    writeFile(join(this.root, path), content);
  }

  read(path: string): string {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Returns the calls of npm with their start times. */
  get npmCalls(): string[] {
    return this.read("npm.log").split("\n").filter(Boolean);
  }

  async npmStarted(): Promise<number> {
    await until(() => this.read("npm.pid") !== "");
    return Number(this.read("npm.pid"));
  }

  get hasStamp(): boolean {
    return existsSync(join(this.root, "node_modules", ".agentserver-install"));
  }

  /** Starts the bootstrap; `outcome` resolves when it has exited. */
  start(bootstrapArguments: string[] = ["hello"], nodeArguments: string[] = []) {
    const child = spawn(
      process.execPath,
      [...nodeArguments, join(this.root, "tools", "run.mjs"), ...bootstrapArguments],
      { env: { PATH: join(this.root, "bin") } },
    );
    this.started.push(child);
    const seen = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (seen.stdout += chunk));
    child.stderr.on("data", (chunk) => (seen.stderr += chunk));
    const outcome = new Promise<Outcome>((resolve) =>
      child.on("close", (code) => resolve({ code, ...seen })),
    );
    return { child, seen, outcome };
  }

  run(...bootstrapArguments: string[]): Promise<Outcome> {
    return this.start(bootstrapArguments.length > 0 ? bootstrapArguments : ["hello"]).outcome;
  }
}
