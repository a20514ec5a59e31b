import { clientOf, creation, start, stopAll } from "../control-plane/client";
import { enter, signIn, TestBrowser } from "./browser/browser";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

test("reports an invalid key or workspace, and explains how to find the correct one", async () => {
  const { plane } = await start();
  const { page, problems } = await browser.visit(plane);
  const alert = page.getByRole("alert");
  await enter(page, "wrong", plane.tenantId);
  await alert.getByText("Invalid API key. Each control plane has its own key").waitFor();
  await enter(page, plane.apiKey, "wrong");
  await alert.getByText("no access to the workspace").waitFor();
  await enter(page, "schlüssel", plane.tenantId);
  await alert.getByText("printable ASCII characters").waitFor();
  await enter(page, plane.apiKey, plane.tenantId);
  await page.getByRole("navigation", { name: "Views" }).waitFor();
  const unexpected = problems.filter((problem) => !/status of 40[13]/.test(problem));
  expect(unexpected).toEqual([]);
});

test("opens the web console with a one-time link, without a key in any URL", async () => {
  const { plane, client } = await start();
  const { id } = (await client.post<{ id: string }>("/v2/deployments", creation("agent"))).body;
  const link = plane.signInLink();
  expect(link).not.toContain(plane.apiKey);
  const visit = await browser.visit(plane, {}, `${link}/deployments/${id}`);
  await visit.page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  expect(visit.page.url()).toBe(`${plane.baseUrl}/#/deployments/${id}`);
  await visit.page.reload();
  await visit.page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  expect(visit.problems).toEqual([]);

  const second = await browser.visit(plane, {}, link);
  await second.page
    .getByRole("alert")
    .getByText("This link has been used, or is older than ten minutes")
    .waitFor();
  expect(second.page.url()).toBe(`${plane.baseUrl}/`);
  expect(await second.everything()).not.toContain(plane.apiKey);
});

test("accepts a link for ten minutes, regardless of how it was created", async () => {
  const { plane, client, clock } = await start();
  const codeOf = (link: string) => link.split("/").at(-1)!;
  const exchange = (code: unknown) =>
    client.post<{ apiKey?: string; detail?: string }>("/page/sign-in", { code });
  const made = await client.post<{ link: string; code: string }>("/page/sign-in-codes", {});
  expect(made).toMatchObject({ status: 201, body: { link: `${plane.baseUrl}/#/sign-in/${made.body.code}` } });
  const [soon, late] = [codeOf(plane.signInLink()), codeOf(plane.signInLink())];
  await clock.advance(9 * 60_000);
  expect((await exchange(made.body.code)).body).toEqual({ apiKey: plane.apiKey, tenantId: plane.tenantId });
  expect((await exchange(soon)).status).toBe(200);
  await clock.advance(60_000);
  for (const code of [late, soon, "guess", 7])
    expect(await exchange(code)).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/^This link/) },
    });
});

test("creates codes only with a key, and does not allow other origins to redeem them", async () => {
  const { plane } = await start();
  const { status } = await fetch(`${plane.baseUrl}/page/sign-in-codes`, { method: "POST" });
  expect(status).toBe(401);
  const code = plane.signInLink().split("/").at(-1);
  const body = JSON.stringify({ code });
  const simple = await fetch(`${plane.baseUrl}/page/sign-in`, { method: "POST", body });
  expect(simple.status).toBe(403);
  const json = { "content-type": "application/json" };
  const asked = await fetch(`${plane.baseUrl}/page/sign-in`, { method: "POST", body, headers: json });
  expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([200, null]);
});

test("does not let the codes of one organization invalidate those of another", async () => {
  const organizations = ["a", "b"].map((name) => ({ name, apiKeys: [name], tenants: [name] }));
  const { plane } = await start({ organizations });
  const [a, b] = ["a", "b"].map((name) => clientOf(plane, { "X-Api-Key": name, "X-Tenant-Id": name }));
  const codeOf = async (client: typeof a) =>
    (await client!.post<{ code: string }>("/page/sign-in-codes", {})).body.code;
  const first = await codeOf(a);
  const ofB = [];
  for (let made = 0; made < 101; made++) ofB.push(await codeOf(b));
  const exchange = async (code: string) => (await a!.post("/page/sign-in", { code })).status;
  expect(await exchange(first)).toBe(200);
  expect([await exchange(ofB[0]!), await exchange(ofB[1]!), await exchange(ofB[100]!)]).toEqual([
    403, 200, 200,
  ]);
});

test("stores the key only for the current tab, and not in the document or a URL", async () => {
  const { plane, client } = await start();
  await client.post("/v2/deployments", creation("agent"));
  const visit = await browser.visit(plane);
  const { page } = visit;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await signIn(visit, plane);
  await page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "agent", level: 2 }).waitFor();
  expect(await page.evaluate("document.documentElement.outerHTML")).not.toContain(plane.apiKey);
  expect(await page.evaluate("localStorage.length + document.cookie")).toBe("0");
  expect(urls.filter((url) => url.includes(plane.apiKey))).toEqual([]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  expect(await visit.everything()).not.toContain(plane.apiKey);
  expect(visit.problems).toEqual([]);
});

test("reports that the control plane has stopped, and resumes when it is available again", async () => {
  const { plane } = await start({ apiKey: "key", tenantId: "tenant" });
  const visit = await browser.visit(plane);
  await signIn(visit, plane);
  await plane.close();
  await visit.page.getByText("The control plane does not respond").waitFor();
  const port = Number(new URL(plane.baseUrl).port);
  const again = await start({ apiKey: "key", tenantId: "tenant", port });
  await again.client.post("/v2/deployments", creation("after"));
  await visit.page.getByRole("heading", { name: "after", level: 2 }).waitFor();
  expect(await visit.page.getByText("The control plane does not respond").isVisible()).toBe(false);
  await again.plane.close();
  await start({ apiKey: "another", tenantId: "tenant", port });
  await visit.page.getByRole("alert").getByText("Invalid API key").waitFor();
  await visit.page.getByLabel("API key").waitFor();
});
