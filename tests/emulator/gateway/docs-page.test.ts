import { TestBrowser } from "../page/browser/browser";
import { type Running, runDeployment } from "./deployment";

let running: Running;
let browser: TestBrowser;
beforeAll(async () => {
  running = await runDeployment();
  browser = await TestBrowser.start();
});
afterAll(() => browser?.close());

test("the reference shows every operation and tries one out, with nothing from elsewhere", async () => {
  const { page, problems } = await browser.visit(running.plane);
  problems.length = 0;
  await page.goto(`${running.url}/docs`);
  await page.locator(".opblock").first().waitFor();
  expect(await page.locator(".opblock").count()).toBeGreaterThan(60);
  await page.getByRole("button", { name: "Authorize" }).click();
  await page.locator(".auth-container input").fill(running.plane.apiKey);
  await page.locator(".auth-btn-wrapper .authorize").click();
  await page.locator(".auth-btn-wrapper .btn-done").click();
  const search = page.locator(".opblock", { hasText: "/assistants/count" });
  await search.click();
  await search.getByRole("button", { name: "Try it out" }).click();
  await search.locator("textarea").first().fill("{}");
  await search.getByRole("button", { name: "Execute" }).click();
  await search.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
  expect(problems).toEqual([]);
});
