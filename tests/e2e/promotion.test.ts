import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startControlPlane, type ControlPlane } from "../../emulator/index";
import { repositoryRoot } from "../../tools/repository";
import { canaries } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

let world: World;
let other: ControlPlane;
let agent: string;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  other = await startControlPlane({
    state: join(world.folder, "other-plane"),
    apiKey: canaries.apiKey,
    tenantId: "tenant-2",
    rollout: "real",
  });
  agent = join(world.folder, "agent");
  cpSync(join(repositoryRoot, "examples", "environments", "agent"), agent, { recursive: true });
  git("init", "--quiet");
});
afterAll(async () => {
  await other?.close();
  await world?.end();
});

const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd: agent,
    encoding: "utf8",
  }).trim();

function commit(): string {
  git("add", "--all");
  git("commit", "--quiet", "--message", "The agent");
  return git("rev-parse", "HEAD");
}

/**
 * Creates one of the stacks in its own copy of the example, in the same way as a job of the workflow. `npm run check`
 * checks the types of the example, so the engine need not check them in every run.
 */
async function stackOf(name: string, env: NodeJS.ProcessEnv = {}): Promise<Stack> {
  const stack = await world.stack(name, "", undefined, { ...env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  rmSync(join(stack.folder, "index.js"));
  cpSync(join(repositoryRoot, "examples", "promotion"), stack.folder, { recursive: true });
  expect(await stack.run("stack", "init", name)).toMatchObject({ code: 0 });
  await stack.config("repoUrl", agent);
  return stack;
}

interface Outputs {
  url: string;
  verified: { current: { artifact: string } };
  waiting: string | null;
}

async function up(stack: Stack): Promise<Outputs> {
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  const { resources } = await stack.state();
  return resources.find(({ type }) => type === "pulumi:pulumi:Stack")!.outputs as unknown as Outputs;
}

/** Returns the response of an agent, and whether the agent server has the assistant "Brief". */
async function answer(url: string) {
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", "X-Api-Key": canaries.apiKey };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  };
  const input = { messages: [{ role: "user", content: "hello" }] };
  const { messages } = (await post("/runs/wait", { assistant_id: "agent", input })) as {
    messages: { content: string }[];
  };
  const assistants = (await post("/assistants/search", {})) as { name: string }[];
  return [messages.at(-1)!.content, assistants.some(({ name }) => name === "Brief")];
}

test("promotes through three stacks on two control planes, and rolls back only production", async () => {
  const { baseUrl } = other;
  const development = await stackOf("development");
  const staging = await stackOf("staging");
  const production = await stackOf("production", {
    AGENTSERVER_BASE_URL: baseUrl,
    AGENTSERVER_TENANT_ID: "tenant-2",
  });
  const [first, second] = [commit(), (writeFileSync(join(agent, "notes.md"), "Second."), commit())] as const;
  for (const one of [first, second]) {
    await development.config("commit", one);
    await up(development);
    await up(staging);
  }
  const waiting = new RegExp(
    `; ${second.slice(0, 7)} has been verified in staging since [-0-9: ]+ UTC and is waiting for approval: run \`pulumi config set --stack production approved ${second}\`\\.`,
  );
  const refused = await production.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(
    "error: Nothing can be promoted: promotion-production does not exist yet; ",
  );
  expect(refused.output).not.toMatch(/unhandled exception|PromiseRejectionHandledWarning|^ +at /m);
  expect(refused.output).toMatch(waiting);
  expect(other.admin.journal({ writes: true })).toEqual([]);

  await production.config("approved", second.slice(0, 7));
  const { url, verified, ...others } = await up(production);
  expect(others).toEqual({ waiting: null });
  expect(verified.current.artifact).toBe(second);
  expect(await answer(url)).toEqual(["production heard: hello", true]);

  await production.config("approved", first.slice(0, 7));
  expect((await up(production)).verified.current.artifact).toBe(first);
});
