import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { repositoryRoot } from "../../tools/repository";
import { buildSite } from "../../tools/site/site";
import { TestBrowser, type Visit } from "../emulator/page/browser/browser";
import { serveFolder } from "./static-server";

const base = "/docs/";
const output = mkdtempSync(join(tmpdir(), "agentserver-site-"));
const screenshots = join(repositoryRoot, ".agentserver", "site-screenshots");
const pages = { home: "", concepts: "concepts.html", deployment: "reference/deployment.html" };
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

let browser: TestBrowser;
let server: Awaited<ReturnType<typeof serveFolder>>;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  await buildSite(output, { base });
  server = await serveFolder(output, base);
  browser = await TestBrowser.start();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(output, { recursive: true });
});

/** Opens a page of the site, and waits until its scripts run. */
async function open(path: string, options: Parameters<TestBrowser["visit"]>[1] = {}): Promise<Visit> {
  const visit = await browser.visit(server, options, `${server.baseUrl}${base}${path}`);
  await visit.page.waitForFunction("document.documentElement.dataset.language !== undefined");
  return visit;
}

interface Found {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Returns the axe findings that would prevent users from reading the page. */
async function findings({ page }: Visit): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Found[]>("axe.run().then(({ violations }) => violations)");
  return found
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
    );
}

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  describe.each(["desktop", "phone"] as const)("on a %s", (size) => {
    test.each(Object.entries(pages))(
      "shows %s without accessibility errors, overflow, or requests to other hosts",
      async (name, path) => {
        const visit = await open(path, { colorScheme, viewport: sizes[size] });
        await visit.page.screenshot({ path: join(screenshots, `${name}-${size}-${colorScheme}.png`) });
        expect(await visit.page.evaluate("document.documentElement.classList.contains('dark')")).toBe(
          colorScheme === "dark",
        );
        expect(await visit.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
          sizes[size].width,
        );
        expect(await findings(visit)).toEqual([]);
        expect(visit.problems).toEqual([]);
      },
    );
  });
});

test("searches the text of all pages", async () => {
  const visit = await open("");
  await visit.page.keyboard.press("/");
  await visit.page.getByRole("searchbox").fill("deleteBeforeReplace");
  await visit.page.getByRole("option").first().click();
  await visit.page.waitForURL(/behavior\.html/);
  expect(visit.problems).toEqual([]);
});

test("shows names and examples in the selected language on all pages", async () => {
  const visit = await open(pages.deployment);
  const name = visit.page.locator("td").getByText("source_config", { exact: true }).first();
  const example = visit.page.locator(".vp-code-group div.active").first();
  expect(await name.isVisible()).toBe(false);
  expect(await example.textContent()).toContain("new agentserver.Deployment(");

  await visit.page.locator(".switch-language").getByLabel("Python").check();
  expect(await name.isVisible()).toBe(true);
  expect(await example.textContent()).toContain('agentserver.Deployment("agent",');

  await visit.page.goto(`${server.baseUrl}${base}start.html`);
  await visit.page.getByText("import pulumi_agentserver as agentserver").waitFor();
  await visit.page.locator(".vp-code-group .tabs label").getByText("TypeScript").click();
  await visit.page.goto(`${server.baseUrl}${base}${pages.deployment}`);
  await visit.page.waitForFunction("document.documentElement.dataset.language === 'TypeScript'");
  expect(await name.isVisible()).toBe(false);
  expect(visit.problems).toEqual([]);
});
