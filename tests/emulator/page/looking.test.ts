import type { Deployment, Resources } from "../answers";
import { formatTag } from "../../../wire";
import { creation, start, stopAll } from "../control-plane/client";
import { signIn, TestBrowser, type Visit } from "./browser/browser";
import { type ScriptedRollout, ScriptedRunner } from "./scripted-runner";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

async function look(options: Parameters<typeof start>[0] = {}) {
  const runner = new ScriptedRunner();
  const rig = await start({ runner, ...options });
  const visit = await browser.visit(rig.plane);
  await signIn(visit, rig.plane);
  return { ...rig, runner, visit, page: visit.page };
}

function deployed(runner: ScriptedRunner): Promise<void> {
  return runner.next().then((rollout) => rollout.deploy());
}

const link = ({ page }: Visit, name: string | RegExp) =>
  page.getByRole("region", { name: "Deployments" }).getByRole("link", { name });

test("shows new deployments, and the progress of their rollouts", async () => {
  const { client, runner, visit, page } = await look();
  await page.getByText("No deployments yet").waitFor();
  await client.post("/v2/deployments", creation("first"));
  await link(visit, /first.*CREATING|first.*QUEUED/s).waitFor();
  const rollout = await runner.next();
  rollout.status("BUILDING");
  await link(visit, /first.*BUILDING/s).waitFor();
  rollout.deploy();
  await link(visit, /first.*DEPLOYED/s).waitFor();
  await page.getByRole("region", { name: "Revisions" }).getByText("serving").waitFor();
  expect(visit.problems).toEqual([]);
});

test("shows the reason, duration, and log of a failed revision, line by line", async () => {
  const { client, clock, runner, visit, page } = await look();
  await client.post("/v2/deployments", creation("agent"));
  await deployed(runner);
  const { resources } = (await client.get<Resources<Deployment>>("/v2/deployments")).body;
  await client.patch(`/v2/deployments/${resources[0]!.id}`, { source_revision_config: { repo_ref: "v2" } });
  const rollout = await runner.next();
  rollout.status("BUILDING");
  rollout.runtime?.("Python 3.12.4");
  await page.getByRole("region", { name: "Revisions" }).getByText("BUILDING", { exact: true }).waitFor();
  rollout.log("build", "INFO", "added 214 packages");
  const log = page.getByRole("log");
  await log.getByText("added 214 packages").waitFor();
  rollout.log("build", "ERROR", "Cannot find name 'ToolNode'");
  await log.getByText("Cannot find name 'ToolNode'").waitFor();
  await clock.advance(72_000);
  rollout.fail("BUILD_FAILED", "npm run build exited with code 2");
  const revisions = page.getByRole("region", { name: "Revisions" });
  await revisions.getByText("npm run build exited with code 2").waitFor();
  await revisions.getByText("took 1 min 12 s").waitFor();
  await revisions.getByText(/BUILDING 1 min 12 s/).waitFor();
  await revisions.getByText("Python 3.12.4", { exact: true }).waitFor();
  expect(await revisions.getByRole("listitem").filter({ hasText: "v2" }).innerText()).toContain(
    "BUILD_FAILED",
  );
  expect(visit.problems).toEqual([]);
});

test("keeps the selected deployment, the scroll position, and selected text during updates", async () => {
  const { client, runner, visit, page } = await look();
  const rollouts: ScriptedRollout[] = [];
  for (const name of ["one", "two"]) {
    await client.post("/v2/deployments", creation(name));
    const rollout = await runner.next();
    for (let line = 1; line <= 120; line++) rollout.log("build", "INFO", `${name} says ${line}.`);
    rollouts.push(rollout);
  }
  const sayMore = () => rollouts[1]!.log("build", "INFO", "more");
  await link(visit, "two").click();
  await page.getByText("two says 120.").waitFor();
  await page.evaluate(`
    document.querySelector(".log").scrollTop = 0;
    for (const kept of document.querySelectorAll(".items li, .timeline li, .log-line")) kept.dataset.before = "";
    getSelection().selectAllChildren(document.querySelector(".head h2"));
  `);
  await page.getByRole("button", { name: "Newest" }).waitFor();
  sayMore();
  await page.getByText("more", { exact: true }).waitFor({ state: "attached" });
  expect(await page.evaluate("document.querySelector('.log').scrollTop")).toBe(0);
  expect(await page.evaluate("getSelection().toString()")).toBe("two");
  const madeAnew = ":is(.items li, .timeline li, .log-line:not(:last-child)):not([data-before])";
  expect(await page.locator(madeAnew).count()).toBe(0);
  await page.getByRole("button", { name: "Newest" }).click();
  sayMore();
  await page.getByText("more", { exact: true }).nth(1).waitFor();
  await expect(page.evaluate("location.hash")).resolves.toMatch(/^#\/deployments\//);
  await page.reload();
  await page.getByRole("heading", { name: "two" }).waitFor();
  expect(visit.problems).toEqual([]);
});

test("shows names and strings that contain markup as plain text", async () => {
  const { client, runner, visit, page } = await look();
  const script = "<script>alert(1)</script><img src=x onerror=alert(2)>";
  const names = [script, "🤖 agent 👩‍🚀", "سجل \u202Ereversed", "<b>bold</b>"];
  for (const name of names) {
    await client.post("/v2/deployments", creation(name));
    const rollout = await runner.next();
    rollout.log("build", "INFO", `${name} in a log \u001b[31mred\u001b[0m`);
    rollout.fail("BUILD_FAILED", `${name} as a reason`);
  }
  const alerts: string[] = [];
  page.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    void dialog.dismiss();
  });
  for (const name of names) {
    await link(visit, name).click();
    await page.getByRole("heading", { name, level: 2 }).waitFor();
    await page.getByRole("log").getByText(`${name} in a log red`).waitFor();
    await page.getByRole("region", { name: "Revisions" }).getByText(`${name} as a reason`).waitFor();
  }
  expect(await page.locator("#content :is(script, img, b)").count()).toBe(0);
  expect(alerts).toEqual([]);
  await expect(page.evaluate("document.body.innerHTML = '<p>markup</p>'")).rejects.toThrow("TrustedHTML");
  expect(visit.problems.filter((problem) => !problem.includes("TrustedHTML"))).toEqual([]);
});

test("masks secrets from all sources", async () => {
  const { client, runner, visit, page } = await look({ admin: true });
  const secrets = [{ name: "MODEL_API_KEY", value: "sk-very-secret" }];
  const source_config = { repo_url: "https://ada:hunter22@example.test/agent.git", build_on_push: false };
  await client.post("/v2/deployments", creation("agent", { secrets, source_config }));
  const rollout = await runner.next();
  rollout.log(
    "build",
    "INFO",
    "the key is sk-very-secret, the clone is of https://ada:hunter22@example.test/",
  );
  rollout.fail("BUILD_FAILED", "refused: sk-very-secret");
  await page.getByText("MODEL_API_KEY").waitFor();
  await page.getByRole("log").getByText("the key is [masked], the clone is of https://[masked]@").waitFor();
  await page.getByText("refused: [masked]").first().waitFor();
  expect(await visit.everything()).not.toMatch(/sk-very-secret|hunter22/);
  await page.getByRole("link", { name: "Requests" }).click();
  await page.locator("summary").first().click();
  await page.locator("pre").getByText("MODEL_API_KEY").waitFor();
  expect(await visit.everything()).not.toMatch(/sk-very-secret|hunter22/);
  expect(visit.problems).toEqual([]);
});

test("lists variables, secrets, and the owner separately, and does not mask plain values", async () => {
  const { client, runner, visit, page } = await look();
  const holder = { organization: "acme", project: "agents", stack: "prod", resource: "support" };
  const since = "2026-01-01T00:00:00.000Z";
  const tag = formatTag({ ownerId: "owner", revisions: 1, since, holder, variables: ["LOG_LEVEL"] });
  const secrets = [
    { name: "MODEL_API_KEY", value: "sk-very-secret" },
    { name: "LOG_LEVEL", value: "production" },
    { name: "AGENTSERVER_OWNER", value: tag },
  ];
  await client.post("/v2/deployments", creation("agent", { secrets }));
  const rollout = await runner.next();
  rollout.log("build", "INFO", "building for production with sk-very-secret");
  await page.getByRole("log").getByText("building for production with [masked]").waitFor();
  const listed = (title: string) => page.getByRole("list", { name: title, exact: true }).allInnerTexts();
  expect(await listed("Variables")).toEqual(["LOG_LEVEL=production"]);
  expect(await listed("Secrets")).toEqual(["MODEL_API_KEY"]);
  await page.getByText('resource "support" of stack acme/agents/prod').waitFor();
  expect(await visit.everything()).not.toContain("sk-very-secret");
  expect(visit.problems).toEqual([]);
});

test("is usable on a narrow screen and with the keyboard", async () => {
  const { client, plane, runner } = await look();
  await client.post(
    "/v2/deployments",
    creation("a-rather-long-name-that-was-chosen-without-thinking-of-phones"),
  );
  await client.post("/v2/deployments", creation("other"));
  await Promise.all([deployed(runner), deployed(runner)]);
  const visit = await browser.visit(plane, { viewport: { width: 400, height: 800 }, colorScheme: "dark" });
  await signIn(visit, plane);
  const { page } = visit;
  await link(visit, "other").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
  await link(visit, /a-rather/).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "other", level: 2 }).waitFor();
  expect(visit.problems).toEqual([]);
});

test("shows statuses that a rollout reached before the web console was opened", async () => {
  const { client, plane, runner, clock } = await look();
  await client.post("/v2/deployments", creation("agent"));
  const rollout = await runner.next();
  rollout.status("BUILDING");
  await clock.advance(30_000);
  rollout.status("DEPLOYING");
  await clock.advance(20_000);
  rollout.deploy();
  const visit = await browser.visit(plane);
  await signIn(visit, plane);
  const revisions = visit.page.getByRole("region", { name: "Revisions" });
  await revisions.getByText("BUILDING 30 s").waitFor();
  await revisions.getByText("DEPLOYING 20 s").waitFor();
  expect(visit.problems).toEqual([]);
});

test("shows log lines at level INFO and above, and all others if requested", async () => {
  const { client, runner, visit, page } = await look();
  await client.post("/v2/deployments", creation("agent"));
  const rollout = await runner.next();
  rollout.log("build", "DEBUG", "cache miss");
  const log = page.getByRole("log");
  await log.getByText("No lines match the filter.").waitFor();
  rollout.log("build", "INFO", "installing");
  rollout.log("build", "ERROR", "no such package");
  await log.getByText("no such package").waitFor();
  await log.getByText("installing").waitFor();
  expect(await log.getByText("cache miss").count()).toBe(0);
  const level = page.getByLabel("Level", { exact: true });
  await level.selectOption("Level: all");
  await log.getByText("cache miss").waitFor();
  await level.selectOption("ERROR or above");
  await log.getByText("installing").waitFor({ state: "detached" });
  await log.getByText("no such package").waitFor();
  expect(visit.problems).toEqual([]);
});

test("shows the usual duration of similar rollouts, or why it is unknown", async () => {
  const { client, clock, runner, page } = await look();
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  const roll = async (commit: string, ms: number) => {
    if (commit) await client.patch(`/v2/deployments/${id}`, { source_revision_config: { repo_ref: commit } });
    const rollout = await runner.next();
    rollout.status("BUILDING");
    await clock.advance(ms);
    return rollout;
  };
  (await roll("", 300_000)).deploy();
  (await roll("a".repeat(40), 62_000)).deploy();
  await page
    .getByText("There is no usual duration, because no earlier rollout with a new source was successful.")
    .waitFor();
  await roll("b".repeat(40), 1000);
  await page.getByText("Rollouts with a new source usually take 1 min (1 earlier rollout).").waitFor();
  expect(await page.locator(".usual").count()).toBe(1);
});
