import { execFile, execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../tools/repository";
import { canaries, canariesIn } from "./canaries";
import { declaring } from "./programs";
import { World } from "./world";

const ci = join(repositoryRoot, "examples", "ci");
let world: World;
let project: string;

interface Job {
  name: string;
  steps: { run: string; env: Record<string, string> }[];
}

/** Returns the jobs of a recipe with their shell commands and variables. Omits the steps that set up the machine. */
function jobsOf(file: string): Job[] {
  const content = parse(readFileSync(join(ci, file), "utf8")) as Record<string, unknown>;
  const own = (env: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(env).filter(([, value]) => !/\$(\{\{|CI_)/.test(value)));
  if (file.startsWith("gitlab"))
    return Object.entries(
      content as Record<string, { script?: string[]; variables?: Record<string, string> }>,
    )
      .filter(([name, job]) => job.script && name !== "agentserver-tools")
      .map(([name, { script, variables }]) => ({
        name,
        steps: script!.map((run) => ({ run, env: own(variables) })),
      }));
  const { jobs } = content as {
    jobs: Record<string, { steps: { run?: string; env?: Record<string, string> }[] }>;
  };
  return Object.entries(jobs).map(([name, { steps }]) => ({
    name,
    steps: steps.flatMap(({ run, env }) => (run && !run.startsWith("npm ") ? [{ run, env: own(env) }] : [])),
  }));
}

const jobs = ["github-apply.yml", "github-drift.yml", "gitlab-ci.yml"].flatMap((file) =>
  jobsOf(file).map((job) => [`${file} ${job.name}`, job] as const),
);
const jobNamed = (name: string) => jobs.find(([known]) => known === name)![1];

/**
 * Runs a job up to the first step that fails, and then only the steps that print files. Returns the exit code of the
 * failed step, and all output.
 */
async function run({ steps }: Job): Promise<{ code: number; output: string }> {
  let output = "";
  let failed = 0;
  for (const { run: command, env } of steps) {
    if (failed && !command.startsWith("cat ")) continue;
    const code = await new Promise<number>((resolve) => {
      const options = {
        cwd: project,
        env: {
          ...world.environment,
          AGENTSERVER: `${process.execPath} ${join(repositoryRoot, "dist", "cli", "main.js")}`,
          GITHUB_STEP_SUMMARY: join(project, "summary.md"),
          ...env,
        },
      };
      execFile("sh", ["-c", command], options, (error, stdout, stderr) => {
        output += stdout + stderr;
        resolve(error ? (typeof error.code === "number" ? error.code : -1) : 0);
      });
    });
    failed ||= code;
  }
  expect(canariesIn(output)).toEqual([]);
  return { code: failed, output };
}

beforeAll(async () => {
  world = await World.start();
  world.admin.steer({ pace: "at once" });
  const sourceConfig = { repoUrl: "https://git.example.com/agents.git", buildOnPush: false };
  await world.stack("prod", declaring({ sourceConfig, secrets: { KEY: canaries.modelKey } }));
  project = join(world.folder, "prod");
  cpSync(ci, join(project, "ci"), { recursive: true });
});

afterAll(() => world.end());

test("runs the same commands on GitLab as on GitHub", () => {
  expect(jobs.map(([name]) => name)).toEqual([
    "github-apply.yml preview",
    "github-apply.yml apply",
    "github-drift.yml drift",
    // The reviews have separate tests.
    "gitlab-ci.yml agentserver-review",
    "gitlab-ci.yml agentserver-preview",
    "gitlab-ci.yml agentserver-apply",
    "gitlab-ci.yml agentserver-drift",
  ]);
  // GitLab keeps the report as an artifact; GitHub shows it.
  const shown = /GITHUB_STEP_SUMMARY/;
  const onGithub = (name: string) => jobNamed(name).steps.filter(({ run }) => !shown.test(run));
  expect(jobNamed("gitlab-ci.yml agentserver-preview").steps).toEqual(onGithub("github-apply.yml preview"));
  expect(jobNamed("gitlab-ci.yml agentserver-apply").steps).toEqual(onGithub("github-apply.yml apply"));
  expect(jobNamed("gitlab-ci.yml agentserver-drift").steps).toEqual(onGithub("github-drift.yml drift"));
});

test("logs in on GitLab with flags that Pulumi supports", () => {
  const { ".pulumi": shared } = parse(readFileSync(join(ci, "gitlab-ci.yml"), "utf8")) as {
    ".pulumi": { before_script: string[] };
  };
  const login = shared.before_script.find((line) => line.startsWith("pulumi login"))!;
  const flags = [...login.matchAll(/ (--[\w-]+)/g)].map(([, flag]) => flag!);
  const help = execFileSync(world.engine.pulumi, ["login", "--help"], { encoding: "utf8" });
  expect(flags).toContain("--oidc-token");
  expect(flags.filter((flag) => !help.includes(`${flag} `))).toEqual([]);
});

test("applies exactly the changes in the preview that the approver has seen", async () => {
  expect(await run(jobNamed("github-apply.yml preview"))).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, "summary.md"), "utf8")).toContain("support-agent");
  expect(world.writes()).toEqual([]);

  expect(await run(jobNamed("github-apply.yml apply"))).toMatchObject({ code: 0 });
  expect(world.writes()).toMatchObject([
    { request: "POST /v2/deployments", body: { name: "support-agent" } },
  ]);
});

test("fails the scheduled run without changing anything if a deployment was changed externally", async () => {
  expect(await run(jobNamed("github-drift.yml drift"))).toMatchObject({ code: 0 });
  const [deployment] = await world.deployments();
  await fetch(`${world.plane.baseUrl}/v2/deployments/${deployment!.id}`, {
    method: "PATCH",
    headers: {
      "Content-Type": "application/json",
      "X-Api-Key": world.plane.apiKey,
      "X-Tenant-Id": world.plane.tenantId,
    },
    body: JSON.stringify({ source_config: { build_on_push: true } }),
  });
  world.writes();

  const { code, output } = await run(jobNamed("github-drift.yml drift"));

  expect({ code, writes: world.writes() }).toEqual({ code: 2, writes: [] });
  expect(output).toContain("sourceConfig.buildOnPush: recorded false, found true");
});
