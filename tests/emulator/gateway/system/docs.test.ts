import { signIn, TestBrowser } from "../../page/browser/browser";
import { type Running, runDeployment } from "../deployment";

let running: Running;
let browser: TestBrowser;
beforeAll(async () => {
  running = await runDeployment();
  browser = await TestBrowser.start();
});
afterAll(() => browser?.close());

test("shows and calls operations without asking for a key or loading external resources", async () => {
  const visit = await browser.visit(running.plane);
  await signIn(visit, running.plane);
  visit.problems.length = 0;
  const link = visit.page.getByRole("link", { name: "Documentation of the agent's API" });
  const [page] = await Promise.all([visit.page.context().waitForEvent("page"), link.click()]);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  await page.waitForURL(/\/docs$/);
  await page.locator(".opblock").first().waitFor();
  expect(await page.locator(".opblock").count()).toBeGreaterThan(60);
  const search = page.locator(".opblock", { hasText: "/assistants/count" });
  await search.click();
  await search.getByRole("button", { name: "Try it out" }).click();
  await search.locator("textarea").first().fill("{}");
  await search.getByRole("button", { name: "Execute" }).click();
  await search.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
  expect([...problems, ...visit.problems]).toEqual([]);
});
