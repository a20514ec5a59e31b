import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { agentFiles, answeringGraph } from "./agents";
import { Repository } from "./repository";

/** A point at which a rollout hangs permanently. */
export interface StuckPhase {
  name: string;
  /** Returns the URL of a repository whose rollout hangs at this point. */
  url: () => Promise<string>;
  /** Log text that shows that the rollout has reached this point. */
  sign: string;
  /** Minimum number of processes that run at this point. */
  processes: number;
}

/** Servers that keep a rollout waiting. Close them at the end of the tests. */
export const silentServers: Server[] = [];

async function silentServer(): Promise<string> {
  const server = createServer(() => undefined);
  silentServers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`;
}

const repositoryWith = (files: Record<string, string>) => async () => new Repository(files).folder;

export const stuckPhases: StuckPhase[] = [
  { name: "the clone", url: silentServer, sign: "Cloning", processes: 2 },
  {
    name: "the installation",
    url: repositoryWith({
      ...agentFiles(""),
      "package.json": JSON.stringify({
        devDependencies: { local: "file:./local" },
        scripts: { preinstall: "echo started; sleep 1000 & sleep 1000" },
      }),
      "local/package.json": JSON.stringify({ name: "local", version: "1.0.0" }),
    }),
    sign: "Running npm install",
    // The supervisor process, npm, a shell, and two `sleep` commands.
    processes: 5,
  },
  {
    name: "an import that waits",
    url: repositoryWith(
      agentFiles(
        'import { spawn } from "node:child_process";\n' +
          'spawn("sleep", ["1000"], { stdio: "inherit" });\n' +
          'setInterval(() => {}, 1000); console.log("importing");\n' +
          "await new Promise(() => {});\nexport const graph = 1;",
      ),
    ),
    sign: "INFO importing",
    processes: 2,
  },
  {
    name: "an import that blocks",
    url: repositoryWith(
      agentFiles(
        'import { spawn } from "node:child_process";\n' +
          'spawn("sleep", ["1000"]);\n' +
          'console.log("importing"); while (true) {}\nexport const graph = 1;',
      ),
    ),
    sign: "INFO importing",
    processes: 2,
  },
];

/**
 * Source of an agent that blocks permanently on request, and has two child processes, one of which has left its process
 * group.
 */
export const blockingGraph = answeringGraph(
  "while (true) {}",
  '\nimport { spawn } from "node:child_process";\nspawn("sleep", ["1000"], { stdio: "inherit" });\n' +
    'spawn("sleep", ["1000"], { stdio: "inherit", detached: true });\n',
);
