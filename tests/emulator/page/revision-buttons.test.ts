import type { Deployment } from "../answers";
import { creation, start, stopAll } from "../control-plane/client";
import { signIn, TestBrowser } from "./browser/browser";
import { ScriptedRunner } from "./scripted-runner";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

async function deployed(visiting: Parameters<TestBrowser["visit"]>[1] = {}) {
  const runner = new ScriptedRunner();
  const rig = await start({ runner });
  const { body } = await rig.client.post<Deployment>("/v2/deployments", creation("agent"));
  (await runner.next()).deploy();
  const visit = await browser.visit(rig.plane, visiting);
  await signIn(visit, rig.plane);
  const revisions = visit.page.getByRole("region", { name: "Revisions" });
  await revisions.getByText("serving").waitFor();
  return { ...rig, ...visit, runner, revisions, deployment: body };
}

test("shows the agent's URL with a copy button, and links to its documentation", async () => {
  const { client, page, deployment, problems } = await deployed({
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { url } = (await client.get<Deployment>(`/v2/deployments/${deployment.id}`)).body;
  await page.getByText(url!, { exact: true }).waitFor();
  const docs = page.getByRole("link", { name: "Documentation of the agent's API" });
  expect(await docs.getAttribute("href")).toBe(
    `http://${deployment.id}.localhost:${new URL(url!).port}/docs`,
  );
  await page.getByRole("button", { name: "Copy the agent's URL" }).click();
  await page.getByRole("status").getByText("URL copied.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(url);
  expect(problems).toEqual([]);
});

test("redeploys the source of the selected revision, and interrupts a rollout in progress", async () => {
  const { client, page, revisions, runner, deployment, problems } = await deployed();
  const interrupt = page.getByRole("button", { name: "Interrupt" });
  expect(await interrupt.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Redeploy" }).click();
  const { job } = await runner.next();
  await revisions
    .locator("li")
    .filter({ hasText: job.revisionId.slice(0, 8) })
    .waitFor();
  expect(job.revisionId).not.toBe(deployment.latest_revision_id);
  await interrupt.click();
  await revisions.getByText("Interrupted by a user.").waitFor();
  const path = `/v2/deployments/${deployment.id}`;
  expect((await client.get(`${path}/revisions/${job.revisionId}`)).body).toMatchObject({
    status: "INTERRUPTED",
  });
  expect((await client.get<Deployment>(path)).body.active_revision_id).toBe(deployment.latest_revision_id);
  expect(problems).toEqual([]);
});

test("scrolls to the revision that a link specifies on a phone, even to an old one", async () => {
  const { client, plane, runner, deployment } = await deployed();
  for (let made = 0; made < 22; made++) {
    await client.patch(`/v2/deployments/${deployment.id}`, {
      source_revision_config: { repo_ref: `v${made}` },
    });
    (await runner.next()).fail("BUILD_FAILED", "broken");
  }
  const visit = await browser.visit(plane, { viewport: { width: 390, height: 700 } });
  const first = deployment.latest_revision_id;
  await visit.page.evaluate(`location.hash = "#/deployments/${deployment.id}/${first}"`);
  await signIn(visit, plane);
  const row = visit.page.getByRole("region", { name: "Revisions" }).locator("li[data-tone]").last();
  await row.getByText(first.slice(0, 8)).waitFor();
  await visit.page.waitForFunction(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
      document.querySelector(".timeline > .chosen").getBoundingClientRect())`,
  );
  expect(await row.getAttribute("class")).toBe("chosen");
  expect(await visit.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(visit.problems).toEqual([]);
});

test("shows differences between revisions without secrets, and the durations of rollouts", async () => {
  const { client, clock, page, revisions, runner, deployment, problems, ...visit } = await deployed();
  await client.patch(`/v2/deployments/${deployment.id}`, {
    source_config: { resource_spec: { memory_mb: 2048 } },
    source_revision_config: { repo_ref: "v2" },
    secrets: [{ name: "TOKEN", value: "not-to-be-seen" }],
  });
  const rollout = await runner.next();
  await clock.advance(90_000);
  rollout.deploy();
  const table = page.getByRole("table", { name: "Differences" });
  await table.getByRole("row", { name: "repo_ref main v2" }).waitFor();
  await table.getByRole("row", { name: /resource_spec.memory_mb .*2048/ }).waitFor();
  const bars = revisions.getByRole("list", { name: /Durations/ });
  const slow = bars.getByRole("link", { name: /DEPLOYED, 1 min 30 s/ });
  await slow.waitFor();
  const heights = (await bars.locator("span").all()).map(async (bar) => (await bar.boundingBox())!.height);
  const [first, second] = await Promise.all(heights);
  expect(second! / first!).toBeGreaterThan(5);
  expect(await visit.everything()).not.toContain("not-to-be-seen");
  await bars.getByRole("link").first().click();
  await table.getByRole("row", { name: "repo_ref v2 main" }).waitFor();
  expect(problems).toEqual([]);
});
