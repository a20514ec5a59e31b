import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DevDeployment } from "../../../cli/dev/dev-deployment";
import { developFolder, type DevOptions } from "../../../cli/dev/develop-folder";
import type { WatchFolder } from "../../../cli/dev/folder-watcher";
import {
  RolloutFailure,
  type RolloutJob,
  type RolloutReport,
  type RolloutRunner,
} from "../../../emulator/index";
import { canary, World } from "../../provider/world";
import { temporaryFolder } from "../../tools/temporary-folder";
import { until } from "../../tools/waiting";
import { Run } from "../connection-run";

type Step = (report: RolloutReport, job: RolloutJob) => void;

/** Runner whose rollouts succeed, unless the next step throws. */
class ScriptedRunner implements RolloutRunner {
  readonly steps: Step[] = [];
  readonly jobs: RolloutJob[] = [];

  roll: RolloutRunner["roll"] = async (job, report) => {
    this.jobs.push(job);
    report.status("BUILDING");
    report.log("build", "INFO", `building revision ${this.jobs.length}`);
    this.steps.shift()?.(report, job);
    return undefined;
  };

  restart: RolloutRunner["restart"] = async () => undefined;
}

const files = {
  "langgraph.json": JSON.stringify({ graphs: { agent: "./graph.ts:graph" }, env: ".env" }),
  ".gitignore": ".env\nnotes/\n",
  ".env": `MODEL_KEY=${canary}-model\nEMPTY=\nLANGSMITH_API_KEY=${canary}-reserved\n`,
  "graph.ts": "// 1",
};

/** A running `agentserver dev` command. The test itself reports the changes to its folder. */
class Development {
  readonly folder = temporaryFolder(files);
  /** Folder that is passed to the command. */
  argument = this.folder;
  readonly runner = new ScriptedRunner();
  readonly watched = new Map<string, (name: string | undefined) => void>();
  readonly opened: string[] = [];
  world!: World;
  run!: Run;
  private isClosed = false;

  async start(options: DevOptions = {}, hasDesktop = true): Promise<this> {
    this.world = await World.start({ dialect: "langsmith", runner: this.runner });
    const watch: WatchFolder = (folder, onChange) => {
      this.watched.set(folder, onChange);
      return () => this.watched.delete(folder);
    };
    const { plane } = this.world;
    this.run = new Run(this.world, async (context) => {
      await developFolder(context, this.argument, options, {
        startPlane: async () => ({
          ...{ baseUrl: plane.baseUrl, apiKey: plane.apiKey, tenantId: plane.tenantId },
          signInLink: () => `${plane.baseUrl}/#/sign-in/code`,
          close: async () => void (this.isClosed = true),
        }),
        connectionLines: () => ["  connection"],
        browser: async (address) => {
          if (hasDesktop) this.opened.push(address);
          return hasDesktop;
        },
        watch,
      });
      return 0;
    });
    return this;
  }

  /** Writes a file without reporting the change. */
  write(name: string, text: string): void {
    mkdirSync(join(this.folder, name, ".."), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  /** Reports a change in the folder. */
  report(): void {
    this.watched.get(this.folder)!("entry");
  }

  change(name: string, text: string): void {
    this.write(name, text);
    this.report();
  }

  /** Waits until this text is printed again. */
  async next(text: string, stream: "stdout" | "stderr" = "stdout"): Promise<void> {
    const before = this.run[stream].split(text).length;
    await until(() => this.run[stream].split(text).length > before);
  }

  /** Waits until the first rollout has finished. */
  async deployed(): Promise<this> {
    await this.run.until("serving requests");
    this.world.forget();
    return this;
  }

  /** Returns the requests that changed something since the last call. */
  requests(): string[] {
    const found = this.world.writes.map(({ method, path }) => `${method} ${path.replace("/api-host", "")}`);
    this.world.forget();
    return found.map((one) => one.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replace(/^PUT .*/, "PUT"));
  }

  /** Sends Ctrl-C, and checks that the control plane was stopped and that no secret was printed. */
  async stop(): Promise<void> {
    this.run.interrupt();
    expect(await this.run.ended).toBe(0);
    expect(this.isClosed).toBe(true);
    expect(this.watched.size).toBe(0);
    expect(this.run.stdout + this.run.stderr).not.toContain(canary);
  }
}

const rollout = ["POST /v2/deployments/ID/upload-url", "PUT", "PATCH /v2/deployments/ID"];

test("deploys a folder with the variables in its env file, and prints the log and the address", async () => {
  const development = await new Development().start({ name: "support-agent" });
  await development.run.until("serving requests");
  expect(development.requests()).toEqual(["POST /v2/deployments", ...rollout]);
  const { deploymentName, secrets, uploadFolder } = development.runner.jobs[0]!;
  expect(deploymentName).toBe("support-agent");
  expect(secrets.filter(({ name }) => !name.startsWith("AGENTSERVER_"))).toEqual([
    { name: "EMPTY", value: "" },
    { name: "MODEL_KEY", value: `${canary}-model` },
  ]);
  expect(readFileSync(join(uploadFolder!, "graph.ts"), "utf8")).toBe("// 1");
  expect(existsSync(join(uploadFolder!, ".env"))).toBe(false);
  const { stdout } = development.run;
  expect(stdout).toContain(`Local control plane at ${development.world.plane.baseUrl} `);
  expect(stdout).toContain("  building revision 1\n");
  expect(stdout).toMatch(
    /\nRevision [0-9a-f]{8}: DEPLOYED\nRevision [0-9a-f]{8} is serving requests after \d+s/,
  );
  await development.stop();
});

test("rolls out each change, and prints the names of the changed files", async () => {
  const development = await (await new Development().start()).deployed();
  development.change("graph.ts", "// 2");
  await development.next("serving requests");
  expect(development.requests()).toEqual(rollout);
  expect(development.run.stdout).toContain("1 of 3 files changed: graph.ts\n");
  expect(development.run.stdout).toContain("  building revision 2\n");
  await development.stop();
});

test("starts no rollout for changes to ignored files or for files rewritten without changes", async () => {
  const development = await (await new Development().start()).deployed();
  development.write("node_modules/left-pad/index.js", "");
  development.write("notes/today.md", "");
  development.change("graph.ts", files["graph.ts"]);
  const { clock } = development.world;
  const began = clock.now();
  await until(() => clock.now() > began + 10_000);
  expect(development.requests()).toEqual([]);
  expect([...development.watched.keys()]).toEqual([development.folder]);
  await development.stop();
});

test("rolls out changes to variables without printing their values", async () => {
  const development = await (await new Development().start()).deployed();
  development.change(".env", `MODEL_KEY=${canary}-new\nOTHER=1\n`);
  await development.next("serving requests");
  expect(development.run.stdout).toContain("Changed in the env file: EMPTY, MODEL_KEY, OTHER\n");
  expect(development.runner.jobs.at(-1)!.secrets).toContainEqual({
    name: "MODEL_KEY",
    value: `${canary}-new`,
  });
  await development.stop();
});

test("does not redact flags and small numbers in the log, even if they are values of variables", async () => {
  const development = await (await new Development().start()).deployed();
  development.runner.steps.push((report) => report.log("build", "INFO", "true at graph.ts:1:23"));
  development.change(".env", "DEBUG=true\nLEVEL=1\n");
  await development.next("serving requests");
  expect(development.run.stdout).toContain("  true at graph.ts:1:23\n");
  await development.stop();
});

test("prints the reason and the log of a failed rollout, and rolls out the next change", async () => {
  const development = await (await new Development().start()).deployed();
  development.runner.steps.push((report) => {
    report.log("build", "ERROR", `the compiler rejects ${canary}-model`);
    throw new RolloutFailure("BUILD_FAILED", "graph.ts does not compile.");
  });
  development.change("graph.ts", "// broken");
  await development.next("Waiting for changes.");
  const { stdout } = development.run;
  const [log, reason] = ["  error: the compiler rejects", "failed during the build (BUILD_FAILED"];
  expect(stdout.indexOf(log)).toBeGreaterThan(0);
  expect(stdout.indexOf(reason)).toBeGreaterThan(stdout.indexOf(log));
  expect(stdout).toMatch(
    /graph\.ts does not compile\.\nRevision [0-9a-f]{8} is still serving requests\. Waiting/,
  );
  development.requests();
  development.report();
  development.change("graph.ts", "// mended");
  await development.next("serving requests");
  expect(development.requests()).toEqual(rollout);
  await development.stop();
});

test("reports that no revision serves requests if the first rollout fails, and recovers", async () => {
  const development = new Development();
  development.runner.steps.push(() => {
    throw new RolloutFailure("DEPLOY_FAILED", "The agent did not start.");
  });
  await development.start();
  await development.run.until("No revision is serving requests. Waiting for changes.");
  development.change("graph.ts", "// 2");
  await development.next("is serving requests after");
  await development.stop();
});

test("combines all changes made during a rollout into one subsequent rollout", async () => {
  const development = await (await new Development().start()).deployed();
  development.runner.steps.push(() => {
    development.change("graph.ts", "// 3");
    development.change("tools.ts", "// new");
    development.change("graph.ts", "// 4");
  });
  development.change("graph.ts", "// 2");
  await development.next("2 of 4 files changed: graph.ts, tools.ts (new)");
  await development.next("serving requests");
  expect(development.requests()).toEqual([...rollout, ...rollout]);
  expect(development.runner.jobs).toHaveLength(3);
  await development.stop();
});

test("watches new folders in the source, and stops watching deleted ones", async () => {
  const development = await (await new Development().start()).deployed();
  const added = join(development.folder, "tools");
  development.change("tools/search.ts", "// 1");
  await development.next("serving requests");
  expect([...development.watched.keys()]).toEqual([development.folder, added]);
  writeFileSync(join(added, "search.ts"), "// 2");
  development.watched.get(added)!("search.ts");
  await development.next("1 of 4 files changed: tools/search.ts");
  await development.next("serving requests");
  rmSync(added, { recursive: true });
  development.report();
  await development.next("tools/search.ts (gone)");
  await development.next("serving requests");
  expect([...development.watched.keys()]).toEqual([development.folder]);
  await development.stop();
});

test("lists the variables in the env file that are omitted", async () => {
  const development = await (await new Development().start()).deployed();
  development.change("graph.ts", "// 2");
  await development.next("serving requests");
  expect(development.run.stdout.match(/Warning: .*/g)).toEqual([
    expect.stringMatching(
      /^Warning: these variables of the env file do not become secrets .*: LANGSMITH_API_KEY$/,
    ),
  ]);
  await development.stop();
});

test("retries silently if files change before they are uploaded", async () => {
  const development = await (await new Development().start()).deployed();
  development.write("tools.ts", "// 1");
  const request = jest.spyOn(DevDeployment.prototype, "deploy").mockImplementationOnce(() => {
    development.change("graph.ts", "// 3");
    return Promise.reject(new Error("The files changed during this update."));
  });
  development.change("graph.ts", "// 2");
  await development.next("serving requests");
  expect(request).toHaveBeenCalledTimes(2);
  expect(development.run.stderr).toBe("");
  expect(development.run.stdout.match(/.* files changed: .*/g)).toEqual([
    "2 of 4 files changed: graph.ts, tools.ts (new)",
  ]);
  await development.stop();
});

test.each([
  ["the folder", false],
  ["the folder that a link refers to", true],
])("continues after %s is recreated", async (_, isLink) => {
  const development = new Development();
  if (isLink) {
    development.argument = join(temporaryFolder(), "link");
    symlinkSync(development.folder, development.argument, "junction");
  }
  await (await development.start()).deployed();
  rmSync(development.folder, { recursive: true });
  development.report();
  await development.run.until("langgraph.json does not exist.", "stderr");
  const parent = dirname(development.folder);
  await until(() => !development.watched.has(development.folder));
  expect([...development.watched.keys()].sort()).toEqual(
    [...new Set([parent, dirname(development.argument)])].sort(),
  );
  for (const [name, text] of Object.entries(files)) development.write(name, text);
  development.write("graph.ts", "// 2");
  development.watched.get(parent)!("entry");
  await development.next("serving requests");
  expect(development.watched.has(development.folder)).toBe(true);
  expect(development.watched.has(parent)).toBe(false);
  await development.stop();
});

test("reports an invalid graph configuration once, and continues after it is corrected", async () => {
  const development = await (await new Development().start()).deployed();
  development.change("langgraph.json", "{");
  await development.run.until("langgraph.json is not a graph configuration", "stderr");
  development.report();
  development.change("langgraph.json", files["langgraph.json"].replace("agent", "other"));
  await development.next("serving requests");
  expect(development.run.stderr.split("\n").filter(Boolean)).toHaveLength(1);
  await development.stop();
});

test("excludes its own state folder from the source and from the watched folders", async () => {
  const development = new Development();
  const state = join(development.folder, "state");
  await (await development.start({ state })).deployed();
  writeFileSync(join(state, "control-plane.sqlite"), "");
  development.change("graph.ts", "// 2");
  await development.next("1 of 3 files changed: graph.ts");
  await development.next("serving requests");
  expect([...development.watched.keys()]).toEqual([development.folder]);
  await development.stop();
});

test("opens a sign-in link with --open, and continues without a desktop", async () => {
  const development = await (await new Development().start({ open: true })).deployed();
  expect(development.opened).toEqual([`${development.world.plane.baseUrl}/#/sign-in/code`]);
  expect(development.run.stdout).not.toContain("sign-in");
  await development.stop();
  const other = await (await new Development().start({ open: true }, false)).deployed();
  expect(other.run.stderr).toContain("no browser was found");
  await other.stop();
});

test("adopts the deployment of an earlier process that used the same state", async () => {
  const first = await (await new Development().start({ name: "kept" })).deployed();
  await first.stop();
  const records = async () =>
    ((await first.world.request("GET", "/v2/deployments")) as { resources: { id: string }[] }).resources;
  const [{ id }] = (await records()) as [{ id: string }];
  const world = first.world;
  jest.spyOn(World, "start").mockResolvedValueOnce(world);
  const second = await new Development().start({ name: "kept" });
  await second.run.until("serving requests");
  expect((await records()).map((record) => record.id)).toEqual([id]);
  await second.stop();
});

test("fails before it starts anything if there is no graph configuration", async () => {
  const development = new Development();
  rmSync(join(development.folder, "langgraph.json"));
  await development.start();
  expect(await development.run.ended).toBe(1);
  expect(development.run.stderr).toContain("No langgraph.json was found");
  expect(development.run.stdout).toBe("");
});
