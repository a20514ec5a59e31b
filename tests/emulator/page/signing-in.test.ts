import { creation, start, stopAll } from "../control-plane/client";
import { enter, signIn, TestBrowser } from "./browser/browser";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());
afterEach(stopAll);

test("says what is wrong with a key or a workspace, and how to find the right one", async () => {
  const { plane } = await start();
  const { page, problems } = await browser.visit(plane);
  const alert = page.getByRole("alert");
  await enter(page, "wrong", plane.tenantId);
  await alert.getByText("Invalid API key. Each control plane has its own key").waitFor();
  await enter(page, plane.apiKey, "wrong");
  await alert.getByText("no access to the workspace").waitFor();
  await enter(page, "schlüssel", plane.tenantId);
  await alert.getByText("plain letters, digits and signs").waitFor();
  await enter(page, plane.apiKey, plane.tenantId);
  await page.getByRole("navigation", { name: "Views" }).waitFor();
  const unexpected = problems.filter((problem) => !/status of 40[13]/.test(problem));
  expect(unexpected).toEqual([]);
});

test("keeps the key for this tab alone, out of the page and its address", async () => {
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

test("says so when the control plane is gone, and goes on when it is back", async () => {
  const { plane } = await start({ apiKey: "key", tenantId: "tenant" });
  const visit = await browser.visit(plane);
  await signIn(visit, plane);
  await plane.close();
  await visit.page.getByText("The control plane does not answer").waitFor();
  const port = Number(new URL(plane.baseUrl).port);
  const again = await start({ apiKey: "key", tenantId: "tenant", port });
  await again.client.post("/v2/deployments", creation("after"));
  await visit.page.getByRole("heading", { name: "after", level: 2 }).waitFor();
  expect(await visit.page.getByText("The control plane does not answer").isVisible()).toBe(false);
  await again.plane.close();
  await start({ apiKey: "another", tenantId: "tenant", port });
  await visit.page.getByRole("alert").getByText("Invalid API key").waitFor();
  await visit.page.getByLabel("API key").waitFor();
});
