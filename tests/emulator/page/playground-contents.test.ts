import axe from "axe-core";
import type { Client } from "@langchain/langgraph-sdk";
import type { Page } from "playwright-core";
import { type Running, runDeployment } from "../gateway/deployment";
import { officialClient } from "../gateway/walk";
import { signIn, TestBrowser } from "./browser/browser";
import { savePicture } from "./browser/pictures";

let browser: TestBrowser;
let running: Running;
let client: Client;
beforeAll(async () => {
  browser = await TestBrowser.start();
  running = await runDeployment();
  client = officialClient(running.url, running.plane);
}, 180_000);
afterAll(() => browser.close());

async function open(section: string, options: Parameters<TestBrowser["visit"]>[1] = {}) {
  const { plane, url } = running;
  const address = `${plane.baseUrl}/#/playground/${url.split("/").at(-1)}/${section}`;
  const visit = await browser.visit(plane, options, address);
  await signIn(visit, plane);
  return visit;
}

const said = (page: Page, text: string): Promise<void> => page.getByRole("status").getByText(text).waitFor();

test("edits an assistant, shows changes between its versions, and sets its latest version", async () => {
  const { assistant_id: id } = await client.assistants.create({ graphId: "agent", name: "Writer" });
  const { page, problems } = await open(`assistants/${id}`);
  const details = page.getByRole("region", { name: "Assistant", exact: true });
  await details.getByRole("heading", { name: /^Writer/ }).waitFor();
  await page.getByRole("button", { name: "Edit…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Editor");
  await page.getByLabel("Config as JSON").fill('{"configurable": {"tone": "dry"}}');
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "A version of the assistant was created.");
  const changes = details.getByRole("table", { name: "Changes" });
  await changes.getByRole("row", { name: "name Writer Editor" }).waitFor();
  await changes.getByRole("row", { name: "config.configurable.tone none dry" }).waitFor();
  await details.getByRole("button", { name: "Version 1" }).click();
  await details.getByRole("button", { name: "Set as latest" }).click();
  await said(page, "Version 1 is the latest.");
  await details.getByRole("button", { name: "Version 1 (latest)" }).waitFor();
  expect(await client.assistants.get(id)).toMatchObject({ version: 1, name: "Writer" });
  await page.getByRole("button", { name: "Edit…" }).click();
  await page.getByLabel("Metadata as JSON").fill("{");
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "Metadata:");
  expect(problems).toEqual([]);
  await client.assistants.delete(id);
});

test("shows the next run times of a cron, pauses it, and runs it now", async () => {
  const input = { messages: [{ role: "user", content: "version" }] };
  const created = await client.crons.create("agent", {
    schedule: "0 5 * * 1",
    timezone: "Europe/Zurich",
    input,
  });
  const { page, problems } = await open("crons");
  const card = page.getByRole("region", { name: "Crons" }).getByRole("listitem");
  await card.getByText("Europe/Zurich").waitFor();
  expect((await card.getByText(/ · .* · /).innerText()).split(" · ")).toHaveLength(3);
  await card.getByRole("button", { name: "Pause" }).click();
  await card.getByText("paused").waitFor();
  expect(await client.crons.search()).toMatchObject([{ cron_id: created.cron_id, enabled: false }]);
  await card.getByRole("button", { name: "Enable" }).click();
  await card.getByText("enabled").waitFor();
  await card.getByRole("button", { name: "Run now" }).click();
  await said(page, "A run has started.");
  await card.locator("a.run").first().click();
  await page
    .getByRole("region", { name: "Thread", exact: true })
    .locator("pre")
    .getByText('"content": "version"')
    .waitFor();
  await client.crons.delete(created.cron_id);
  expect(problems).toEqual([]);
});

test("browses, stores, and deletes store items", async () => {
  await client.store.putItem(["memories", "ada"], "color", { value: "blue" });
  await client.store.putItem(["notes"], "first", { text: "hello" });
  const { page, problems } = await open("store");
  const items = page.getByRole("region", { name: "Items" });
  await items.getByText('"value": "blue"').waitFor();
  await items.getByText('"text": "hello"').waitFor();
  await page.getByRole("button", { name: "memories / ada" }).click();
  await items.getByText('"text": "hello"').waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Put item…" }).click();
  await page.getByLabel("Key", { exact: true }).fill("food");
  await page.getByLabel("Value as JSON").fill('{"value": "cheese"}');
  await page.getByLabel("TTL in minutes").fill("60");
  await page.getByRole("button", { name: "Store", exact: true }).click();
  await items.getByText('"value": "cheese"').waitFor();
  expect(await client.store.getItem(["memories", "ada"], "food")).toMatchObject({
    value: { value: "cheese" },
  });
  await items.getByLabel("Show only items that contain").fill("cheese");
  await items.getByText('"value": "blue"').waitFor({ state: "detached" });
  await items.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await items.getByText("No items.").waitFor();
  expect(await client.store.getItem(["memories", "ada"], "food")).toBeNull();
  expect(problems).toEqual([]);
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each([
    ["desktop", { width: 1280, height: 800 }],
    ["phone", { width: 390, height: 844 }],
  ] as const)(
    "shows assistants, crons, and store without serious accessibility errors on a %s",
    async (size, viewport) => {
      await client.store.putItem(["memories", "ada"], "color", { value: "blue" });
      const { cron_id } = await client.crons.create("agent", { schedule: "@daily", input: {} });
      const { page, problems } = await open("assistants", { colorScheme, viewport });
      for (const [section, ready] of [
        ["Assistants", page.getByRole("list", { name: "Versions" })],
        ["Crons", page.getByText("@daily")],
        ["Store", page.getByText('"value": "blue"')],
      ] as const) {
        await page
          .getByRole("navigation", { name: "Playground" })
          .getByRole("link", { name: section })
          .click();
        await ready.waitFor();
        await savePicture(page, `playground-${section.toLowerCase()}-${colorScheme}-${size}`);
        await page.evaluate(axe.source);
        const found = await page.evaluate<{ id: string; impact: string }[]>(
          "axe.run().then((all) => all.violations)",
        );
        expect(
          found.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id }) => id),
        ).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
      }
      await client.crons.delete(cron_id);
      expect(problems).toEqual([]);
    },
  );
});

test("copies Pulumi programs for resources, without the key", async () => {
  const { cron_id } = await client.crons.create("agent", { schedule: "@daily", input: { text: "hi" } });
  const { thread_id } = await client.threads.create({ metadata: { team: "support" } });
  await client.store.putItem(["notes"], "first", { text: "hello" });
  const { page, problems } = await open("assistants", { permissions: ["clipboard-write", "clipboard-read"] });
  const programs: string[] = [];
  const copy = async (subject: string, language: string) => {
    const group = page.getByRole("group", { name: `Copy ${subject} as a Pulumi program` });
    await group.getByRole("button", { name: language }).click();
    await said(page, `The program was copied in ${language}.`);
    programs.push(await page.evaluate<string>("navigator.clipboard.readText()"));
  };
  const section = (name: string) =>
    page.getByRole("navigation", { name: "Playground" }).getByRole("link", { name }).click();
  await copy("the assistant", "TypeScript");
  await section("Crons");
  await copy("the cron", "Python");
  await section("Store");
  await copy("the item first", "YAML");
  await section("Threads");
  await page.getByRole("link", { name: thread_id }).click();
  await copy("the thread", "TypeScript");
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Deployments" }).click();
  await copy("the deployment", "YAML");
  expect(programs).toEqual([
    expect.stringMatching(/getDeploymentOutput\(\{ name: "agent" \}\)[^]*new Assistant\("agent", \{/),
    expect.stringMatching(/agentserver\.Cron\([^]*assistant="agent",\n {4}schedule="@daily"/),
    expect.stringMatching(/type: "agentserver:index:StoreItem"[^]*text: hello/),
    expect.stringMatching(/new Thread\([^]*team: "support"/),
    expect.stringMatching(/type: "agentserver:index:Deployment"[^]*repoUrl: /),
  ]);
  expect(programs.join("\n")).not.toContain(running.plane.apiKey);
  await client.crons.delete(cron_id);
  expect(problems).toEqual([]);
});
