import type { Log } from "sarif";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import { readJson } from "../json";
import type { ReviewReport } from "../../cli/review/report";
import { repositoryRoot } from "../../tools/repository";
import { canaries, canariesIn } from "./canaries";
import type { EngineRun } from "./engine-run";
import type { Stack } from "./stack";
import { World } from "./world";

const examples = join(repositoryRoot, "examples", "ci");
const agentserver = [process.execPath, join(repositoryRoot, "dist", "cli", "main.js")];

const first = "1111111111111111111111111111111111111111";
const second = "2222222222222222222222222222222222222222";

const services: CommentService[] = [];
let world: World;
let stack: Stack;
let project: string;

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in the project's folder, in the same way as a CI job, and checks that its output contains no secrets.
 */
async function run(command: string, words: string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const options = { cwd: project, env: { ...world.environment, ...env } };
  const result = await new Promise<Run>((resolve) => {
    const child = execFile(command, words, options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
  expect(canariesIn(result.stdout + result.stderr)).toEqual([]);
  return result;
}

const review = (...words: string[]) => run(agentserver[0]!, [agentserver[1]!, "review", ...words]);

const file = (name: string) => readFileSync(join(project, name), "utf8");

/** Returns the line of the program that declares one deployment. */
function declared(
  name: string,
  { repoRef = first, buildOnPush = false, greeting = canaries.greeting, called = name } = {},
): string {
  return `new Deployment("${name}", ${JSON.stringify({
    name: called,
    source: "github",
    sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev", buildOnPush },
    sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
    secrets: { GREETING: greeting },
  })});\n`;
}

interface GitlabWorkflow {
  "agentserver-review": { script: string[]; after_script: string[] };
}

interface GithubWorkflow {
  jobs: { review: { steps: { run?: string }[] } };
}

/** Returns the shell commands in an example workflow. */
function commandsOf(workflow: "github-actions.yml" | "gitlab-ci.yml"): string[] {
  const content: unknown = parse(readFileSync(join(examples, workflow), "utf8"));
  if (workflow === "gitlab-ci.yml") {
    const { "agentserver-review": job } = content as GitlabWorkflow;
    return [...job.script, ...job.after_script];
  }
  return (content as GithubWorkflow).jobs.review.steps
    .flatMap((step) => step.run ?? [])
    .filter((command) => !command.startsWith("npm "));
}

beforeAll(async () => {
  world = await World.start();
  world.admin.steer({ pace: "at once" });
  stack = await world.stack("review");
  project = join(world.folder, "review");
  cpSync(examples, join(project, "ci"), { recursive: true });
});

afterAll(async () => {
  for (const service of services) service.close();
  await world.end();
});

test("reports what will be created before anything exists", async () => {
  stack.program(declared("triage") + declared("search") + declared("billing") + declared("legacy"));

  const result = await review("--stack", "review", "--format", "terminal", "--max-rollouts", "4");

  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(result.stdout).toContain("review (review): 4 created");
  expect(result.stdout).toContain(`sourceRevisionConfig.repoRef: ${first.slice(0, 10)}`);
  expect(result.stdout).toContain("Secrets: GREETING");
  expect(world.writes()).toEqual([]);
});

describe("a review of changes to several deployments", () => {
  let outcome: Run;
  let report: ReviewReport;

  beforeAll(async () => {
    const up = await stack.up();
    expect({ code: up.code, errors: errorsOf(up) }).toEqual({ code: 0, errors: [] });
    const triage = (await stack.resource("triage"))!;
    const change = { source_config: { build_on_push: true } };
    await call(`${world.plane.baseUrl}/v2/deployments/${triage.id}`, change, "PATCH");
    world.writes();
    stack.program(
      declared("triage", { repoRef: second }) +
        declared("search", { buildOnPush: true, greeting: canaries.rotatedGreeting }) +
        declared("billing", { called: "invoices" }) +
        declared("drafts"),
    );
    const [command] = commandsOf("github-actions.yml");
    outcome = await run("sh", ["-c", command!], {
      AGENTSERVER: agentserver.join(" "),
      REVIEW_STACK: "review",
    });
    report = readJson<ReviewReport>(file("review.json"));
  });

  const shown = (name: string) => outcome.stdout.split("\n\n").find((text) => text.startsWith(name))!;

  test("fails the gate, and changes nothing", () => {
    expect(outcome).toMatchObject({ code: 2, stderr: "" });
    expect(outcome.stdout).toContain(
      "This review fails:\n  billing is replaced without approval\n  legacy is deleted",
    );
    expect(world.writes()).toEqual([]);
  });

  test("reports what is replaced, and that the data to be deleted could not be determined", () => {
    expect(shown("billing")).toContain(
      "billing (invoices) is replaced (the new deployment is created before the old one is deleted)",
    );
    expect(shown("billing")).toContain("name: billing → invoices");
    expect(shown("billing")).toMatch(/The contents that will be lost are not known: \S/);
    expect(shown("legacy")).toContain("legacy is deleted");
  });

  test("reports a rollout with its reason, the drift, and the duration of earlier rollouts", () => {
    expect(shown("triage")).toContain(
      `sourceRevisionConfig.repoRef: ${first.slice(0, 10)} → ${second.slice(0, 10)}`,
    );
    expect(shown("triage")).toContain("sourceConfig.buildOnPush: recorded false, found true");
    expect(shown("triage")).toMatch(/Expected duration: \S.* \(median of 1 past rollout\)/);
  });

  test("reports what is patched, and lists secrets without their values", () => {
    expect(shown("search")).toContain("search is patched without a new revision");
    expect(shown("search")).toContain(
      "Secrets that change: GREETING; they take effect with the next revision",
    );
    expect(shown("drafts")).toContain("drafts is created");
  });

  test("writes a comment, a SARIF log, and a JSON report, none of which contains a secret", () => {
    const texts = ["review.md", "review.sarif", "review.json"].map(file);
    for (const text of texts) {
      expect(text).toContain("GREETING");
      expect(canariesIn(text)).toEqual([]);
    }
    expect(texts[0]).toContain("<code>billing</code> (<code>invoices</code>) is replaced");
    expect(readJson<Log>(texts[1]!).runs[0]!.results![0]!.ruleId).toBe("deployment-replaced");
    expect(report.deployments.map(({ resource, action }) => `${resource}: ${action}`)).toEqual([
      "billing: replace",
      "legacy: delete",
      "triage: roll out",
      "drafts: create",
      "search: patch",
    ]);
    expect(report.policies).toEqual([]);
  });

  test("passes after the replacement is approved by a label and deletions are allowed", async () => {
    const passed = await run("sh", ["ci/review.sh"], {
      AGENTSERVER: agentserver.join(" "),
      REVIEW_STACK: "review",
      REVIEW_FAIL_ON: "replace",
      REVIEW_MAX_ROLLOUTS: "3",
      REVIEW_LABELS: "bug,approve-replace:invoices",
    });
    expect(passed).toMatchObject({ code: 0, stderr: "" });
    expect(passed.stdout).toContain(
      "is replaced (the new deployment is created before the old one is deleted) (approved)",
    );
  });

  test("reads the digest from a file and from standard input", async () => {
    const { stdout } = await stack.preview("--json");
    writeFileSync(join(project, "preview.json"), stdout);
    const named = await review("preview.json", "--offline", "--format", "markdown");
    const piped = await run("sh", [
      "-c",
      `cat preview.json | ${agentserver.join(" ")} review - --offline --format markdown`,
    ]);
    expect(named).toMatchObject({ code: 0, stderr: "" });
    expect(named.stdout).toContain("**1 replaced, 1 deleted, 1 rolled out again, 1 created");
    expect(named.stdout).toContain(
      "The active runs and the contents that will be lost are not known: `--offline was specified`",
    );
    expect(piped.stdout).toBe(named.stdout);
  });
});

test("fails the gate for a violated policy and shows its message", async () => {
  const pack = join(project, "policies");
  mkdirSync(pack);
  writeFileSync(join(pack, "PulumiPolicy.yaml"), "runtime: nodejs\n");
  writeFileSync(
    join(pack, "package.json"),
    JSON.stringify({ name: "house", version: "1.0.0", main: "index.js" }),
  );
  writeFileSync(
    join(pack, "index.js"),
    `const { PolicyPack, validateResourceOfType } = require("@pulumi/policy");
const { Deployment } = require("pulumi-agentserver");
new PolicyPack("house", { policies: [{
  name: "no-drafts", description: "Drafts stay at home.", enforcementLevel: "mandatory",
  validateResource: validateResourceOfType(Deployment, ({ name }, args, report) => {
    if (name === "drafts") report(name + " is a draft");
  }),
}] });`,
  );

  const result = await review(
    "--stack",
    "review",
    "--policy-pack",
    "policies",
    "--fail-on",
    "policy",
    "--format",
    "markdown",
  );

  expect(result.code).toBe(2);
  expect(result.stdout).toContain(
    "- mandatory: `no-drafts` at `drafts`: `Drafts stay at home. drafts is a draft`",
  );
  expect(result.stdout).toContain("- `drafts` violates the policy `no-drafts`");

  writeFileSync(join(project, "off.json"), '{"no-drafts":"disabled"}');
  const withPack = ["--stack", "review", "--fail-on", "policy", "--policy-pack"];
  expect(await review(...withPack, "policies", "--policy-pack-config", "off.json")).toMatchObject({
    code: 0,
  });
  expect(await review(...withPack, "elsewhere")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("failed to load Pulumi policy project"),
  });
});

test("exits with a separate code if the program throws", async () => {
  stack.program(`throw new Error("the table of names is missing");`);

  const result = await review("--stack", "review", "--format", "terminal", "--offline");

  expect(result.code).toBe(3);
  expect(result.stdout).toMatch(/The preview failed: .*the table of names is missing/);
});

test("reports a missing stack on one line", async () => {
  const result = await review("--stack", "nowhere");

  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toMatch(/^agentserver: .*nowhere.*\n$/);
  expect(existsSync(join(project, "nowhere"))).toBe(false);
});

describe("a ready-made workflow", () => {
  test("runs only the scripts for the review and for the comment", () => {
    const commands = ["sh ci/review.sh", "node ci/comment.mjs review.md"];
    expect(commandsOf("github-actions.yml")).toEqual(commands);
    expect(commandsOf("gitlab-ci.yml")).toEqual([
      commands[0],
      `if [ -f review.md ]; then ${commands[1]}; fi`,
    ]);
  });

  test("fails to comment without a token, and reports that the token is missing", async () => {
    const result = await run(process.execPath, ["ci/comment.mjs", "review.md"], {
      GITHUB_TOKEN: "",
      GITLAB_TOKEN: "",
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("set GITHUB_TOKEN or GITLAB_TOKEN");
  });

  test.each([
    [
      "GitHub",
      "github-actions.yml",
      (url: string) => ({
        GITHUB_API_URL: url,
        GITHUB_REPOSITORY: "me/agents",
        PULL_REQUEST: "7",
        GITHUB_TOKEN: "token",
      }),
      ["POST /repos/me/agents/issues/7/comments", "PATCH /repos/me/agents/issues/comments/1"],
    ],
    [
      "GitLab",
      "gitlab-ci.yml",
      (url: string) => ({
        CI_API_V4_URL: url,
        CI_PROJECT_ID: "3",
        CI_MERGE_REQUEST_IID: "7",
        GITLAB_TOKEN: "token",
      }),
      ["POST /projects/3/merge_requests/7/notes", "PUT /projects/3/merge_requests/7/notes/1"],
    ],
  ] as const)("comments once on %s, and updates that comment afterward", async (_, workflow, env, writes) => {
    const service = await CommentService.start();
    services.push(service);
    const [imitation] = service.comments;
    imitation!.body = `${file("review.md")}Merge it, all is well.`;
    const command = commandsOf(workflow)[1]!;
    for (let turn = 0; turn < 2; turn += 1)
      expect(await run("sh", ["-c", command], env(service.url))).toMatchObject({ code: 0, stderr: "" });
    expect(service.writes).toEqual(writes);
    expect(imitation!.body).toMatch(/Merge it, all is well\.$/);
    expect(service.comments.map(({ body }) => body)).toEqual([imitation!.body, file("review.md")]);
  });
});

function errorsOf({ diagnostics }: EngineRun): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

async function call(url: string, body: object, method = "POST"): Promise<void> {
  const { apiKey, tenantId } = world.plane;
  const headers = { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId, "Content-Type": "application/json" };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url} returned ${answer.status}: ${await answer.text()}`);
}

const bot = { user: { login: "github-actions[bot]" }, author: { id: 1 } };

/** Imitation of a code host's API for the comments on one pull request. */
class CommentService {
  /** Comments on the pull request. The first one imitates a report and was written by another user. */
  readonly comments: { id: number; body: string; user: object; author: object }[] = [
    { id: 9, body: "", user: { login: "stranger" }, author: { id: 9 } },
  ];
  readonly writes: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CommentService> {
    const server = createServer();
    const service = new CommentService(server);
    server.on("request", (request, response) => {
      let text = "";
      request.on("data", (chunk) => (text += chunk));
      request.on("end", () => {
        if (request.method !== "GET") {
          service.writes.push(`${request.method} ${request.url}`);
          const { body } = JSON.parse(text) as { body: string };
          service.comments.splice(1, 1, { id: 1, body, ...bot });
        }
        const answer = request.url === "/user" ? bot.author : service.comments;
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify(request.method === "GET" ? answer : service.comments[1]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
