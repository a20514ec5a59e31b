import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { ask } from "../../tools/quickstart/question";
import { until } from "./waiting";
import { formsOf } from "./canaries";
import { Checkout, type NpmRun, unbuiltTarget } from "./checkout";
import { isStartedBy, noProcessOf, processesOf } from "./processes";

const answers = (text: string) => (source: string) => source.replace("You asked:", text);
/** Returns the source of an agent that starts slowly, so that there is time to interrupt it. */
const startsSlowly = (source: string) =>
  `${source}\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);\n`;

let checkout: Checkout;
const runs: NpmRun[] = [];

beforeAll(async () => {
  await ensureBuilt();
  checkout = new Checkout();
});
afterAll(() => checkout.remove());

async function up(): Promise<NpmRun> {
  const run = await checkout.run("up");
  runs.push(run);
  return run;
}

/** Returns the deployments and all of their revisions, with everything that the control plane reports about them. */
async function whatIsThere() {
  const { baseUrl, apiKey, tenantId } = checkout.plane!;
  const get = async (path: string) => {
    const answer = await fetch(baseUrl + path, { headers: { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId } });
    return ((await answer.json()) as { resources: Record<string, string>[] }).resources;
  };
  const deployments = await get("/v2/deployments");
  const revisions = await Promise.all(deployments.map(({ id }) => get(`/v2/deployments/${id}/revisions`)));
  return { deployments, revisions: revisions.flat() };
}

test("leaves no processes running if an update is interrupted while its agent starts", async () => {
  checkout.editAgent(startsSlowly);
  const run = checkout.start("up");
  runs.push(run);
  await run.prints(/(BUILDING|AWAITING_DEPLOY|DEPLOYING), limit/);

  run.interrupt();
  await run.ended;

  expect(run.wasInterrupted).toBe(true);
  expect(run.output.match(/(?<=^building ).*(?=…)/gm)).toEqual([unbuiltTarget]);
  await noProcessOf(checkout.folder);
  expect(checkout.plane).toBeUndefined();
});

test("deploys the agent and prints its response, even after an interrupted update", async () => {
  checkout.editAgent((source) => source);
  const run = await up();

  expect(run).toMatchObject({ code: 0 });
  expect(run.output).toContain("You:   What do you do?");
  expect(run.output).toContain('Agent: Hello! You asked: "What do you do?" — your quickstart agent');
  const { deployments, revisions } = await whatIsThere();
  expect(deployments).toMatchObject([{ name: "quickstart" }]);
  expect(revisions[0]).toMatchObject({ status: "DEPLOYED" });
});

test("reports no changes in a second update, and changes nothing on the control plane", async () => {
  const before = await whatIsThere();
  const run = await up();

  expect(run).toMatchObject({ code: 0 });
  expect(run.output).toContain("2 unchanged");
  expect(run.output).toContain("Nothing changed: the deployed agent is up to date.");
  expect(run.output).toContain('Agent: Hello! You asked: "What do you do?"');
  expect(await whatIsThere()).toEqual(before);
});

test("continues even though a killed engine has left a lock on the stack", async () => {
  const locks = join(
    checkout.folder,
    ".agentserver/engine/stacks/.pulumi/locks/organization/quickstart/local",
  );
  mkdirSync(locks, { recursive: true });
  const killed = { pid: 1, username: "test", hostname: "somewhere", timestamp: new Date(0).toISOString() };
  writeFileSync(join(locks, `${randomUUID()}.json`), JSON.stringify(killed));
  const run = await up();

  expect(run).toMatchObject({ code: 0 });
  expect(run.output).toContain("Nothing changed");
});

test("rolls out an uncommitted change to the agent, with the reason, and the agent responds", async () => {
  const before = await whatIsThere();
  checkout.editAgent(answers("So you ask:"));
  const run = await up();

  expect(run).toMatchObject({ code: 0 });
  expect(run.output).toMatch(/needs a new revision: sourceRevisionConfig\.repoRef \w+ → \w+/);
  expect(run.output).toContain('Agent: Hello! So you ask: "What do you do?"');
  expect(run.output).not.toContain("Nothing changed");
  expect((await whatIsThere()).revisions).toHaveLength(before.revisions.length + 1);
});

test("reports the message of an agent that throws, while the earlier agent still responds", async () => {
  checkout.editAgent((source) => `${source}\nthrow new Error("the greeting book is missing");\n`);
  const run = await up();

  expect(run.code).toBeGreaterThan(0);
  expect(run.output).toContain("Error: the greeting book is missing");
  expect(run.output).not.toContain("Agent:");
  const [, load] = /first run `([^`]+)`/.exec(run.output) ?? [];
  const [, logs] = /Full log: `([^`]+)`/.exec(run.output) ?? [];
  expect(checkout.shell(`${load}\n${logs}`)).toContain("the greeting book is missing");
  expect(checkout.shell(`${load}\npulumi stack output url --stack local`)).toMatch(/^http:/);
  const [, loadForOthers] = /programs, run `([^`]+)`/.exec(run.output) ?? [];
  expect(checkout.shell(`${loadForOthers}\npulumi stack ls --all --json`)).toContain("local");
  const { deployments } = await whatIsThere();
  const answer = await ask(deployments[0]!.url!, checkout.plane!, "Are you there?");
  expect(answer).toContain('So you ask: "Are you there?"');
});

test("leaves no processes of an interrupted update running, except an earlier control plane", async () => {
  const { revisions } = await whatIsThere();
  const { pid } = checkout.plane!;
  checkout.editAgent((source) => startsSlowly(answers("Again:")(source)));
  const run = checkout.start("up");
  runs.push(run);
  await run.prints(/(BUILDING|AWAITING_DEPLOY|DEPLOYING), limit/);

  run.interrupt();
  await run.ended;

  expect(run.wasInterrupted).toBe(true);
  await until(() => processesOf(checkout.folder).every((one) => isStartedBy(one.pid, pid)));
  expect(checkout.plane).toMatchObject({ pid });
  expect((await whatIsThere()).revisions).toHaveLength(revisions.length + 1);

  const resumed = await up();

  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.output).toContain('Agent: Hello! Again: "What do you do?"');
  expect((await whatIsThere()).revisions).toHaveLength(revisions.length + 1);
});

test("keeps the control plane's key out of the engine's files and the output", () => {
  const forms = formsOf(checkout.plane!.apiKey);
  const engine = join(checkout.folder, ".agentserver", "engine");
  const files = readdirSync(engine, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

  expect(files.length).toBeGreaterThan(0);
  for (const text of [...files, ...runs.map(({ output }) => output)])
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
});

test("destroys the stack with down, and leaves no processes or deployments running", async () => {
  const run = await checkout.run("down");

  expect(run).toMatchObject({ code: 0 });
  expect(run.output).toContain("2 deleted");
  expect(run.output).toContain("The stack is destroyed and the local control plane has stopped.");
  expect(processesOf(checkout.folder)).toEqual([]);
  expect(existsSync(join(checkout.folder, ".agentserver", "control-plane"))).toBe(false);
  expect((await checkout.run("down")).output).toContain("Nothing to do");
});
