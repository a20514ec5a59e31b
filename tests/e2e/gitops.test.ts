import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiler, repositoryRoot } from "../../tools/repository";
import { canaries, canariesIn } from "./canaries";
import { installPolicyPack } from "./policy-pack-installed";
import { until } from "./waiting";
import { World } from "./world";

let world: World;
let example: string;
let bare: string;
let clone: string;
let env: NodeJS.ProcessEnv;
const runs: Controller[] = [];

/** One run of the example's controller. */
class Controller {
  output = "";
  /** The exit code; nothing while it runs, and when a signal has ended it. */
  code: number | undefined;
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;

  constructor(...words: string[]) {
    const place = { cwd: example, env, detached: true };
    this.#child = spawn(process.execPath, ["controller.ts", ...words], place);
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding("utf8").on("data", (text) => (this.output += text));
    this.ended = new Promise((resolve) =>
      this.#child.on("close", (code) => {
        this.code = code ?? undefined;
        resolve();
      }),
    );
    runs.push(this);
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until this is so, and fails if the run ends before. */
  async reaches(condition: () => boolean): Promise<void> {
    await until(() => condition() || this.isOver);
    if (!condition()) throw new Error(`The controller ended before that came about:\n${this.output}`);
  }

  async endsWith(code: 0 | 1): Promise<void> {
    await this.ended;
    if (this.code !== code) throw new Error(`The controller ended with ${this.code}:\n${this.output}`);
  }

  /** Asks the controller alone to end. */
  interrupt(): void {
    this.#child.kill("SIGINT");
  }

  /** Ends it and all that it has started in its process group, whatever they are doing. */
  kill(): void {
    if (!this.isOver) process.kill(-this.#child.pid!, "SIGKILL");
  }
}

beforeAll(async () => {
  world = await World.start();
  await installPolicyPack(world.folder);
  [example, bare, clone] = ["gitops", "agents.git", "clone"].map((name) => join(world.folder, name)) as [
    string,
    string,
    string,
  ];
  const source = join(repositoryRoot, "examples", "gitops");
  const isWork = (path: string) => /[\\/](\.gitops|\.local|node_modules)$|Pulumi\..+\.yaml$/.test(path);
  cpSync(source, example, { recursive: true, filter: (path) => !isWork(path) });
  env = {
    ...world.environment,
    AGENTS_REPOSITORY: "https://git.example.com/agents.git",
    GITOPS_REPOSITORY: bare,
    GITOPS_MANIFEST_ENV: "AGENTS_REPOSITORY",
    GITOPS_EVERY: "1",
  };
  const pulumi = (...words: string[]) => execFileSync(world.engine.pulumi, words, { cwd: example, env });
  pulumi("stack", "init", "staging");
  pulumi("config", "set", "--stack", "staging", "--secret", "greeting", "--", canaries.greeting);
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
  execFileSync("git", ["clone", "--quiet", bare, clone], { stdio: "ignore" });
  cpSync(join(example, "repository"), clone, { recursive: true });
  world.admin.steer({ pace: "at once" });
});

afterAll(async () => {
  for (const run of runs) run.kill();
  await world.end();
});

function git(...words: string[]): string {
  const author = ["-c", "user.name=author", "-c", "user.email=author@localhost"];
  return execFileSync("git", [...author, ...words], { cwd: clone, encoding: "utf8" }).trim();
}

/** Commits what stands in the clone and pushes it; returns the commit. */
function push(): string {
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", "a change");
  git("push", "--quiet", "origin", "HEAD:main");
  return git("rev-parse", "HEAD");
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(clone, "deployments", file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

const statusFile = (path: string) =>
  JSON.parse(git(`--git-dir=${bare}`, "show", `agentserver/status:${path}`)) as unknown;
const statusOf = (commit: string) => statusFile(`statuses/${commit}.json`);

/** Lets the controller look once; fails with what it says if it ends otherwise. */
async function turn(code: 0 | 1): Promise<Controller> {
  const run = new Controller("--once");
  await run.endsWith(code);
  return run;
}

const requests = () => world.writes().map(({ request }) => request.replace(/[0-9a-f-]{36}/, "ID"));
const names = async () => (await world.deployments()).map(({ name }) => name).sort();
const revisionsOf = async (wanted: string) =>
  world.revisions((await world.deployments()).find(({ name }) => name === wanted)!.id);

let good: string;

test("its types fit the packages as they are packed", () => {
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.json"], { cwd: example, stdio: "inherit" });
});

test("a commit is applied with the overlay of the stack, and its status written back", async () => {
  good = push();

  await turn(0);

  expect(await names()).toEqual(["sales-agent", "support-agent"]);
  const created = world.writes().map(({ body }) => body);
  expect(created).toContainEqual(
    expect.objectContaining({
      name: "sales-agent",
      source_config: expect.objectContaining({ deployment_type: "dev" }),
    }),
  );
  const status = {
    commit: good,
    state: "success",
    description: "Applied: create sales-agent, create support-agent",
    reasons: [],
    at: expect.any(String),
  };
  expect(statusOf(good)).toEqual(status);
  expect(statusFile("latest.json")).toEqual(status);
  expect(git("ls-remote", bare, "refs/heads/main")).toContain(good);

  const written = git("ls-remote", bare, "refs/heads/agentserver/status");
  expect((await turn(0)).output).toBe("");
  expect(git("ls-remote", bare, "refs/heads/agentserver/status")).toBe(written);
});

test("a wrong manifest asks nothing of the control plane and is reported with its place", async () => {
  world.admin.clearJournal();
  edit("support.yaml", (text) => text.replace("timeout: 10m", "timeout: soon"));
  rmSync(join(clone, "deployments", "sales.yaml"));
  rmSync(join(clone, "deployments", "overlays"), { recursive: true });
  const commit = push();

  await turn(1);

  expect(statusOf(commit)).toMatchObject({
    state: "failure",
    description: "The manifests are not right; nothing was changed",
    reasons: [{ text: expect.stringMatching(/^deployments\/support\.yaml:17:14: spec\.rollout\.timeout/) }],
  });
  expect(world.admin.journal()).toEqual([]);
});

test("a value that the stack's configuration lacks is reported with its place, too", async () => {
  edit("support.yaml", (text) =>
    text.replace("timeout: soon", "timeout: 10m").replace(":greeting", ":nothing"),
  );
  const commit = push();

  await turn(1);

  expect(statusOf(commit)).toMatchObject({
    state: "failure",
    description: "The preview failed; nothing was changed",
    reasons: [
      {
        text: expect.stringMatching(
          /\n +deployments\/support\.yaml:15:15: spec\.secrets\.GREETING: the stack's configuration has no nothing/,
        ),
      },
    ],
  });
  expect(requests()).toEqual([]);
});

test("a broken policy changes nothing and is reported with its text", async () => {
  edit("support.yaml", (text) => text.replace(":nothing", ":greeting").replace("v1.0.0", "main"));
  const commit = push();

  await turn(1);

  expect(statusOf(commit)).toMatchObject({
    state: "failure",
    reasons: [
      {
        deployment: "support-agent",
        policy: "source-pinned",
        text: expect.stringContaining("sourceRevisionConfig.repoRef is not a tag or a commit in full"),
      },
    ],
  });
  expect(requests()).toEqual([]);
  expect(await names()).toEqual(["sales-agent", "support-agent"]);
});

test("a control plane that does not answer is an error, and the commit is applied when it does", async () => {
  const { AGENTSERVER_BASE_URL: address } = env;
  env.AGENTSERVER_BASE_URL = "http://127.0.0.1:1";
  edit("support.yaml", (text) => text.replace("repoRef: main", "repoRef: v1.1.0"));
  const overtaken = push();
  await turn(1);
  const commit = push();
  await turn(1);
  env.AGENTSERVER_BASE_URL = address;

  expect(statusOf(overtaken)).toMatchObject({
    state: "error",
    description: `Overtaken by ${commit.slice(0, 8)} before it was done`,
  });
  expect(statusOf(commit)).toMatchObject({
    state: "error",
    description: "The control plane does not answer; nothing was changed",
    reasons: [{ text: expect.stringContaining("127.0.0.1:1") }],
  });

  // With the same commit: its file of one deployment is gone, and the other has a new revision.
  await turn(0);
  expect(statusOf(commit)).toMatchObject({
    state: "success",
    description: "Applied: delete sales-agent, update support-agent",
  });
  expect(requests().sort()).toEqual(["DELETE /v2/deployments/ID", "PATCH /v2/deployments/ID"]);
  expect(await names()).toEqual(["support-agent"]);
});

test("after a failed rollout the reason is reported, what was good serves, and an older commit can be wanted", async () => {
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "no such ref", times: 1 });
  edit("support.yaml", (text) => text.replace("v1.1.0", "v1.2.0"));
  const commit = push();

  await turn(1);

  expect(statusOf(commit)).toMatchObject({
    state: "failure",
    description: "Not all of it could be applied",
    reasons: [{ deployment: "support-agent", text: expect.stringContaining("no such ref") }],
  });
  expect(await revisionsOf("support-agent")).toEqual(["DEPLOYED", "DEPLOYED", "BUILD_FAILED"]);

  git("push", "--quiet", "--force", "origin", `${good}:main`);
  await turn(0);
  expect(statusFile("latest.json")).toMatchObject({ commit: good, state: "success" });
  expect(await names()).toEqual(["sales-agent", "support-agent"]);
});

test("stopped or killed in the middle of a rollout, it goes on with the same commit and the same revision", async () => {
  const before = await revisionsOf("support-agent");
  git("reset", "--quiet", "--hard", good);
  edit("support.yaml", (text) => text.replace("v1.0.0", "v2.0.0"));
  const commit = push();
  world.writes();
  world.admin.steer({ pace: "step by step" });
  const isPatched = () => world.admin.journal({ writes: true }).length > 0;

  const stopped = new Controller();
  await stopped.reaches(isPatched);
  expect((await turn(1)).output).toContain("Another controller");
  stopped.interrupt();
  await stopped.endsWith(0);
  expect(stopped.output).toContain("Stopped.");
  expect(statusOf(commit)).toMatchObject({ state: "pending" });

  const looks = () => world.admin.journal().filter(({ path }) => path.includes("/revisions/")).length;
  const looked = looks();
  const killed = new Controller();
  await killed.reaches(() => looks() > looked);
  killed.kill();
  await killed.ended;
  expect(statusOf(commit)).toMatchObject({ state: "pending" });

  const last = new Controller("--once");
  await last.reaches(() => last.output.includes("going on"));
  const { id } = (await world.deployments()).find(({ name }) => name === "support-agent")!;
  while ((await world.admin.step(id)) !== "DEPLOYED");
  await last.endsWith(0);
  expect(statusOf(commit)).toMatchObject({ state: "success" });
  expect(requests()).toEqual(["PATCH /v2/deployments/ID"]);
  expect(await revisionsOf("support-agent")).toEqual([...before, "DEPLOYED"]);
});

test("no status and nothing that was printed holds a secret", () => {
  const history = git(`--git-dir=${bare}`, "log", "--patch", "agentserver/status");
  expect(history).toContain("failure");
  expect([history, ...runs.map(({ output }) => output)].flatMap(canariesIn)).toEqual([]);
});
