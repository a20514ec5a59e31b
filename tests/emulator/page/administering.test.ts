import type { Page } from "playwright-core";
import type { Deployment, Resources, Revision } from "../answers";
import { type Client, creation, start, stopAll } from "../control-plane/client";
import { enter, signIn, TestBrowser } from "./browser/browser";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

async function look(options: Parameters<typeof start>[0]) {
  const rig = await start(options);
  await rig.client.post("/admin/steering", { pace: "step by step" });
  await rig.client.post("/v2/deployments", creation("agent"));
  const visit = await browser.visit(rig.plane);
  await signIn(visit, rig.plane);
  await visit.page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  return { ...rig, ...visit };
}

const said = (page: Page, text: string): Promise<void> => page.getByRole("status").getByText(text).waitFor();
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true }).filter({ visible: true });
const go = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();

async function revisions(client: Client) {
  const { resources } = (await client.get<Resources<Deployment>>("/v2/deployments")).body;
  return (await client.get<Resources<Revision>>(`/v2/deployments/${resources[0]!.id}/revisions`)).body
    .resources;
}

test("hides the buttons if the admin API is disabled, and explains how to enable it", async () => {
  const { page, problems } = await look({ admin: false });
  const names = await page.getByRole("button").allInnerTexts();
  expect(names.filter((name) => /step|status|push|fault|reset|advance|steer|clear/i.test(name))).toEqual([]);
  for (const place of ["Requests", "Controls"]) {
    await go(page, place);
    await page.getByRole("heading", { name: place }).waitFor();
    await page.getByText("agentserver emulate --admin").filter({ visible: true }).waitFor();
    expect(await page.locator("#content button:visible, #content form:visible").count()).toBe(0);
  }
  expect(problems).toEqual([]);
});

test("advances a rollout, sets a status, and creates a revision", async () => {
  const { page, problems, client } = await look({ admin: true });
  await press(page, "Step");
  await said(page, "Advanced to the next status.");
  await page
    .getByRole("region", { name: "Revisions" })
    .getByText("AWAITING_BUILD", { exact: true })
    .waitFor();
  await press(page, "Set status…");
  await field(page, "Status").fill("DEPLOY_FAILED");
  await field(page, "Reason").fill("out of memory");
  await press(page, "Set status");
  await page.getByRole("region", { name: "Revisions" }).getByText("out of memory").waitFor();
  expect(await page.getByRole("button", { name: "Step", exact: true }).isDisabled()).toBe(true);
  await press(page, "Create revision…");
  await field(page, "Ref to build").fill("v9");
  await press(page, "Create revision");
  await page.getByRole("region", { name: "Revisions" }).getByText("v9").waitFor();
  expect(await revisions(client)).toMatchObject([
    { source_revision_config: { repo_ref: "v9" } },
    { status: "DEPLOY_FAILED", status_message: "out of memory" },
  ]);
  expect(problems).toEqual([]);
});

test("injects faults only into requests from clients, and shows those requests in the journal", async () => {
  const { page, problems, client } = await look({ admin: true });
  await go(page, "Controls");
  await field(page, "Status").fill("503");
  await field(page, "Retry-After").fill("7");
  await press(page, "Add fault");
  await said(page, "Fault added.");
  await go(page, "Deployments");
  await page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  const failed = await client.get("/v2/deployments?name=failed");
  expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "7"]);
  await go(page, "Requests");
  const row = page.locator("summary").filter({ hasText: "name=failed" });
  await row.getByText("fault: status").waitFor();
  expect(await row.innerText()).toContain("503");
  expect(await page.locator("summary").filter({ hasText: "/revisions" }).count()).toBe(0);
  await client.post("/v2/deployments", creation("later", { nonsense: 1 }));
  await page.locator("summary").first().getByText("unknown: nonsense").waitFor();
  await press(page, "Clear");
  await page.getByText("No requests.").waitFor();
  await client.get("/v2/deployments?name=fresh");
  await page.locator("summary").getByText("name=fresh").waitFor();
  expect(problems).toEqual([]);
});

test("controls rollouts, advances the virtual time, and resets after a confirmation", async () => {
  const { page, problems, client, clock } = await look({ admin: true });
  await go(page, "Controls");
  await page.getByRole("region", { name: "Rollouts" }).getByLabel("Seconds", { exact: true }).fill("30");
  await field(page, "Verdict").selectOption("BUILD_FAILED");
  await press(page, "Apply to rollouts");
  await said(page, "Rollout settings applied.");
  const before = clock.now();
  await press(page, "+ 10 min");
  await said(page, "Clock advanced by 10 min.");
  expect(clock.now() - before).toBe(600_000);
  expect(await revisions(client)).toMatchObject([{ status: "BUILD_FAILED" }]);
  await press(page, "Reset…");
  await press(page, "Cancel");
  expect((await client.get<Resources<Deployment>>("/v2/deployments")).body.resources).toHaveLength(1);
  await press(page, "Reset…");
  await press(page, "Reset");
  await said(page, "The control plane was reset.");
  expect((await client.get<Resources<Deployment>>("/v2/deployments")).body.resources).toEqual([]);
  await go(page, "Deployments");
  await page.getByText("No deployments yet").waitFor();
  expect(problems).toEqual([]);
});

test("hides only what requires admin access if the key has none, and explains why", async () => {
  const { plane, client } = await start({ admin: true, adminKey: "admin-key" });
  await client.post("/v2/deployments", creation("agent"));
  const visit = await browser.visit(plane);
  const { page, problems } = visit;
  await signIn(visit, plane);
  await page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  expect(await page.getByRole("button", { name: "Step", exact: true }).count()).toBe(0);
  for (const place of ["Requests", "Controls"]) {
    await go(page, place);
    await page.getByText("which your key cannot access").filter({ visible: true }).waitFor();
  }
  await press(page, "Sign out");

  const adminKey = page.getByLabel("Admin key");
  await adminKey.fill("wrong");
  await enter(page, plane.apiKey, plane.tenantId);
  await page.getByRole("alert").getByText("This admin key is not valid for the admin API").waitFor();
  await adminKey.fill("admin-key");
  await enter(page, plane.apiKey, plane.tenantId);
  await go(page, "Requests");
  await page.locator("summary").filter({ hasText: "/v2/deployments" }).first().waitFor();
  expect(problems).toEqual([]);
});

test("shows why an action was rejected", async () => {
  const { page, client } = await look({ admin: true });
  await press(page, "Set status…");
  await field(page, "Status").fill("DEPLOY_FAILED");
  await client.post("/admin/deployments/agent/status", { status: "BUILD_FAILED" });
  await press(page, "Set status");
  await said(page, "No status can follow BUILD_FAILED.");
});
