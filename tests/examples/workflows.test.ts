import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { readJson } from "../json";
import { repositoryRoot } from "../../tools/repository";

const ci = join(repositoryRoot, "examples", "ci");
const promotion = join(repositoryRoot, "examples", "promotion", "github-workflow.yml");
const github = [...globSync(join(ci, "github-*.yml")).sort(), promotion];

const step = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z
    .string()
    .regex(/^(actions|pulumi|github)\/[\w/-]+@[0-9a-f]{40}$/)
    .optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const concurrency = z.strictObject({ group: z.string(), "cancel-in-progress": z.boolean() });
const permissions = z.record(z.string(), z.enum(["read", "write"]));
const workflow = z.object({
  permissions,
  concurrency: concurrency.optional(),
  jobs: z.record(
    z.string(),
    z.object({
      "timeout-minutes": z.number(),
      environment: z.enum(["review", "prod", "development", "staging", "production"]),
      permissions: permissions.optional(),
      concurrency: concurrency.optional(),
      steps: z.array(step),
    }),
  ),
});

const read = (file: string) => readFileSync(file, "utf8");
const stepsOf = (file: string) =>
  Object.values(workflow.parse(parse(read(file))).jobs).flatMap(({ steps }) => steps);

test("passes GitHub's parser, which rejects an invalid workflow", () => {
  const judge = (...files: string[]) => {
    const script = join(__dirname, "workflow-faults.mjs");
    return readJson<string[][]>(
      execFileSync(process.execPath, ["--import", "tsx", script, ...files], {
        cwd: repositoryRoot,
        encoding: "utf8",
      }),
    );
  };
  expect(github.map((file) => basename(file))).toEqual([
    "github-actions.yml",
    "github-apply.yml",
    "github-drift.yml",
    "github-workflow.yml",
  ]);
  expect(judge(...github, join(ci, "gitlab-ci.yml"))).toEqual([
    [],
    [],
    [],
    [],
    expect.arrayContaining([expect.stringContaining("Required property is missing: jobs")]),
  ]);
});

test.each(github)("uses only the control plane's key in %s, and does not print it", (file) => {
  const named = [...read(file).matchAll(/secrets\.(\w+)/g)].map(([, name]) => name!);
  expect([...new Set(named)]).toEqual(["AGENTSERVER_API_KEY"]);
  const { permissions: ofWorkflow, jobs } = workflow.parse(parse(read(file)));
  for (const { permissions: ofJob = ofWorkflow } of Object.values(jobs))
    expect(ofJob).toMatchObject({ contents: "read", "id-token": "write" });
  const steps = stepsOf(file);
  // Scripts must not contain text from events.
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  for (const { uses, with: inputs } of steps)
    if (uses?.startsWith("actions/checkout@")) expect(inputs).toEqual({ "persist-credentials": false });
});

test("pins the same actions as the repository's workflows, with their versions", () => {
  const own = globSync(join(repositoryRoot, ".github/workflows/*.yml"));
  const uses = [...github, ...own].flatMap((file) =>
    [...read(file).matchAll(/uses: (.*)/g)].map(([, action]) => action!),
  );
  for (const action of uses) expect(action).toMatch(/^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(new Set(uses).size).toBe(new Set(uses.map((action) => action.split("@")[0])).size);
});

test.each(github)("installs dependencies before the job gets a token in %s", (file) => {
  const { jobs } = workflow.parse(parse(read(file)));
  for (const { steps } of Object.values(jobs)) {
    const install = steps.findIndex(({ run }) => run === "npm ci");
    const login = steps.findIndex(({ uses }) => uses?.startsWith("pulumi/auth-actions@"));
    expect([install, login].sort((one, other) => one - other)).toEqual([install, login]);
    expect(install).toBeGreaterThanOrEqual(0);
  }
});

test("does not cancel updates, and uses their concurrency group only for updates", () => {
  const groups = github.map((file) => {
    const { concurrency: own, jobs } = workflow.parse(parse(read(file)));
    return [own, ...Object.values(jobs).map(({ concurrency: ofJob }) => ofJob)];
  });
  const { jobs } = workflow.parse(parse(read(join(ci, "github-apply.yml"))));
  expect(jobs.apply).toMatchObject({
    environment: "prod",
    concurrency: { group: "agentserver-prod", "cancel-in-progress": false },
  });
  expect(jobs.preview!.environment).toBe("review");
  expect(groups.flat().filter((group) => group?.group === "agentserver-prod")).toHaveLength(1);
  const updating = github.filter((file) => stepsOf(file).some(({ run }) => run?.includes("pulumi up")));
  expect(updating.map((file) => basename(file))).toEqual(["github-apply.yml", "github-workflow.yml"]);
});

test("updates the stacks of the promotion one at a time, and production after an approval", () => {
  const { jobs } = parse(read(promotion)) as {
    jobs: Record<
      string,
      { needs?: string; environment: string; concurrency: object; steps: { run?: string }[] }
    >;
  };
  expect(Object.entries(jobs).map(([name, { needs, environment }]) => [name, needs, environment])).toEqual([
    ["development", undefined, "development"],
    ["staging", "development", "staging"],
    ["production", "staging", "production"],
  ]);
  for (const [name, { concurrency, steps }] of Object.entries(jobs)) {
    expect(concurrency).toEqual({ group: `promotion-${name}`, "cancel-in-progress": false });
    const stacks = [...steps.at(-1)!.run!.matchAll(/--stack (\w+)/g)].map(([, stack]) => stack);
    expect(new Set(stacks)).toEqual(new Set([name]));
  }
});

describe("on GitLab", () => {
  /** Returns the jobs of a pipeline according to `gitlab-ci-local`, in a repository with no other files. */
  function jobsOf(variables: Record<string, string>): Record<string, string> {
    const folder = mkdtempSync(join(tmpdir(), "agentserver-gitlab-"));
    try {
      execFileSync("git", ["init", "--quiet", folder]);
      copyFileSync(join(ci, "gitlab-ci.yml"), join(folder, ".gitlab-ci.yml"));
      const words = Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
      const script = require.resolve("gitlab-ci-local");
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--list-csv-all", ...words], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, HOME: folder },
      });
      if (status !== 0) throw new Error(`gitlab-ci-local refuses the jobs:\n${stdout}${stderr}`);
      const rows = stdout.split("\n").filter((line) => line.startsWith("agentserver-"));
      const jobs = rows.map((row) => row.split(";"));
      return Object.fromEntries(
        jobs.map(([name, , when, , environment]) => [name!, `${when} ${environment}`]),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const never = {
    "agentserver-tools": "never ",
    "agentserver-review": "never review",
    "agentserver-preview": "never review",
    "agentserver-apply": "never prod",
    "agentserver-drift": "never review",
  };
  const onMain = { CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
  const request = { CI_PIPELINE_SOURCE: "merge_request_event", CI_PROJECT_ID: "7" };

  test.each([
    [
      "reviews a merge request",
      { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "7" },
      { "agentserver-tools": "on_success ", "agentserver-review": "on_success review" },
    ],
    ["ignores a merge request from a fork", { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8" }, {}],
    [
      "previews main and applies it manually",
      { CI_PIPELINE_SOURCE: "push", ...onMain },
      {
        "agentserver-tools": "on_success ",
        "agentserver-preview": "on_success review",
        "agentserver-apply": "manual prod",
      },
    ],
    ["ignores another branch", { CI_PIPELINE_SOURCE: "push", ...onMain, CI_COMMIT_BRANCH: "draft" }, {}],
    [
      "detects drift on a schedule",
      { CI_PIPELINE_SOURCE: "schedule", ...onMain },
      { "agentserver-tools": "on_success ", "agentserver-drift": "on_success review" },
    ],
  ])("%s", (_, variables, jobs) => expect(jobsOf(variables)).toEqual({ ...never, ...jobs }));

  test("verifies downloads in a job without secrets, and does not run them in a shell", () => {
    const text = read(join(ci, "gitlab-ci.yml"));
    expect(text).not.toMatch(/(curl|wget)[^\n]*\|\s*(sudo )?(ba)?sh/);
    const jobs = parse(text, { merge: true }) as Record<
      string,
      { script?: string[]; before_script?: string[] }
    >;
    const loading = Object.entries(jobs).filter(([, { script = [], before_script: before = [] }]) =>
      [...before, ...script].some((line) => /curl|wget/.test(line)),
    );
    expect(loading.map(([name]) => name)).toEqual(["agentserver-tools"]);
    const [[, tools]] = loading as [[string, object]];
    // This job also runs the install scripts of dependencies.
    expect(text.match(/npm ci/g)).toHaveLength(1);
    for (const field of ["environment", "id_tokens", "extends"]) expect(tools).not.toHaveProperty(field);
    expect(JSON.stringify(tools)).toContain("sha256sum --check --strict");
  });

  test("runs updates one at a time without canceling them or using long-lived tokens", () => {
    const jobs = parse(read(join(ci, "gitlab-ci.yml")), { merge: true }) as Record<string, object>;
    expect(jobs["agentserver-apply"]).toMatchObject({
      resource_group: "agentserver-prod",
      interruptible: false,
      environment: { name: "prod" },
    });
    expect(jobs[".pulumi"]).toMatchObject({ id_tokens: { PULUMI_OIDC_TOKEN: { aud: expect.any(String) } } });
    expect(read(join(ci, "gitlab-ci.yml"))).not.toContain("PULUMI_ACCESS_TOKEN");
  });
});
