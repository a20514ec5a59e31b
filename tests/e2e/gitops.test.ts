import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Engine, ensureEngine } from "../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../tools/dev-engine/environment";
import { ask } from "../../tools/quickstart/question";
import { repositoryRoot } from "../../tools/repository";
import { installPacked } from "./packed-package";
import { noProcessOf } from "./processes";
import { until } from "./waiting";

let folder: string;
let example: string;
let engine: Engine;
let env: NodeJS.ProcessEnv;
let child: ChildProcess | undefined;
let output = "";

beforeAll(async () => {
  engine = await ensureEngine();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-gitops-")));
  example = join(folder, "copied", "gitops");
  const isWork = (path: string) => /[\\/](\.local|node_modules)$/.test(path);
  cpSync(join(repositoryRoot, "examples", "gitops"), example, {
    recursive: true,
    filter: (path) => !isWork(path),
  });
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"));
  env = engineEnvironment({
    engine,
    stateFolder: join(folder, "engine"),
    passphrase: "open",
    env: Object.fromEntries(own),
  });
});

afterAll(async () => {
  child?.kill("SIGTERM");
  await noProcessOf(folder);
  rmSync(folder, { recursive: true, force: true });
});

function start(): void {
  output = "";
  child = spawn(process.execPath, ["demonstration.mjs"], { cwd: example, env });
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
}

/** Waits until the demonstration has printed this text. Rejects with its output if it exits first. */
async function says(text: string | RegExp): Promise<void> {
  const isSaid = () => (typeof text === "string" ? output.includes(text) : text.test(output));
  await until(() => isSaid() || child!.exitCode !== null);
  if (!isSaid()) throw new Error(`The demonstration ended before it said ${text}:\n${output}`);
}

const inAgents = (...words: string[]) =>
  execFileSync("git", words, { cwd: join(example, ".local", "agents"), encoding: "utf8" }).trim();

/** Commits this change to the manifest and returns the commit. */
function commit(change: (manifest: string) => string): string {
  const manifest = join(example, ".local", "agents", "deployments", "support.yaml");
  writeFileSync(manifest, change(readFileSync(manifest, "utf8")));
  inAgents("-c", "user.name=author", "-c", "user.email=author@localhost", "commit", "-qam", "a change");
  return inAgents("rev-parse", "HEAD");
}

/** Sends a request to the agent whose URL was printed most recently. */
function answerOf(): Promise<string> {
  const credentials = readFileSync(join(example, ".local", "control-plane", "credentials.json"), "utf8");
  const url = [...output.matchAll(/support-agent\s*: "(.*)"/g)].at(-1)![1]!;
  return ask(url, JSON.parse(credentials) as { apiKey: string }, "Why?");
}

test("states on its first line and in its README that it is a demonstration", () => {
  const [first] = readFileSync(join(example, "demonstration.mjs"), "utf8").split("\n");
  expect(first).toMatch(/^\/\/ A local demonstration of GitOps, not intended for production use/);
  expect(readFileSync(join(example, "README.md"), "utf8")).toMatch(/^# A local demonstration of GitOps\n/);
});

test("lists the missing files if it is copied alone", async () => {
  const failure = (own: NodeJS.ProcessEnv) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["demonstration.mjs"], {
      cwd: example,
      env: own,
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    return stderr;
  };
  const paths = env
    .PATH!.split(":")
    .filter((path) => path !== engine.binFolder && path !== dirname(engine.pulumi));
  expect(failure({ ...env, PATH: paths.join(":") })).toBe(
    "demonstration: `pulumi version` failed. Install pulumi, and put it on the PATH.\n",
  );
  expect(failure(env)).toMatch(
    /^demonstration: run `npm install` in \/.*\/gitops first\. \(.*pulumi-agentserver.*\)\n$/,
  );

  await installPacked(dirname(example));
  expect(failure(env)).toMatch(
    /^demonstration: run `npm install` .* first\. \(.*agentserver-emulator.*\)\n$/,
  );
  symlinkSync(
    join(repositoryRoot, "emulator"),
    join(dirname(example), "node_modules", "agentserver-emulator"),
  );
});

test("applies the first commit, locates an error in an invalid one, and resumes after a stop", async () => {
  start();
  await says(/Applied \w{40}/);
  expect(await answerOf()).toBe('Hello! You asked: "Why?"');

  const wrong = commit((manifest) => manifest.replace("timeout: 10m", "timeout: soon"));
  await says(`Could not apply ${wrong}`);
  expect(output).toMatch(/support\.yaml:17:14: spec\.rollout\.timeout/);

  child!.kill("SIGTERM");
  await until(() => child!.exitCode !== null);
  expect(output).toMatch(/Stopped\. The next start continues from here\.\n$/);
  expect(child!.exitCode).toBe(0);
  await noProcessOf(folder);

  inAgents("tag", "v1.1.0", "v1.0.0^{commit}");
  const right = commit((manifest) =>
    manifest.replace("timeout: soon", "timeout: 10m").replace("v1.0.0", "v1.1.0"),
  );
  start();
  await says(`Applied ${right}`);
  expect(output).toContain("sourceRevisionConfig.repoRef v1.0.0 → v1.1.0");
  expect(await answerOf()).toBe('Hello! You asked: "Why?"');
});
