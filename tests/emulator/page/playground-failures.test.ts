import type { Page, Route } from "playwright-core";
import { agentFiles } from "../rollout/agents";
import { Repository } from "../rollout/repository";
import { deploy, type Running, runDeployment } from "../gateway/deployment";
import { officialClient } from "../gateway/walk";
import { signIn, TestBrowser } from "./browser/browser";

/** Source of a graph that terminates its process or waits, depending on the message. */
const fragile = `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("plan", async ({ messages }) => {
    const said = String(messages.at(-1)?.content);
    if (said === "die") process.exit(7);
    if (said === "wait") await new Promise((resolve) => setTimeout(resolve, 60_000));
    return { messages: [new AIMessage("heard " + said)] };
  })
  .addEdge(START, "plan")
  .addEdge("plan", END)
  .compile();
`;

let browser: TestBrowser;
let running: Running;
beforeAll(async () => {
  browser = await TestBrowser.start();
  running = await runDeployment({}, agentFiles(fragile));
}, 180_000);
afterAll(() => browser.close());

async function open(
  section = "",
  prepare: (page: Page) => Promise<unknown> = async () => {},
  url = running.url,
) {
  const { plane } = running;
  const visit = await browser.visit(plane);
  await prepare(visit.page);
  await signIn(visit, plane);
  await visit.page.evaluate(`location.hash = "#/playground/${url.split("/").at(-1)}/${section}"`);
  const { page, problems } = visit;
  const conversation = page.getByRole("log", { name: "Conversation" });
  const send = async (text: string): Promise<void> => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  return { page, problems, conversation, send };
}

/** Changes the responses to requests to a path. */
async function change(page: Page, path: string, edit: (content: never) => unknown): Promise<void> {
  await page.route(
    (url) => url.pathname.endsWith(path),
    async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: edit((await response.json()) as never) });
    },
  );
}

test("reports that the agent process has ended, and works after its restart", async () => {
  const { page, conversation, send } = await open("chat");
  await send("die");
  await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
  await page.getByRole("link", { name: "New thread" }).click();
  const restarting = page
    .getByRole("alert")
    .getByText(
      "The agent exited unexpectedly: The agent server exited with code 7. It is being restarted. (HTTP 503)",
    );
  const answer = conversation.getByText("heard hello");
  await send("hello");
  // Requests are rejected until the agent has restarted.
  while (
    await answer
      .or(restarting)
      .first()
      .waitFor()
      .then(() => restarting.isVisible())
  )
    await page.getByRole("button", { name: "Retry" }).click();
  await answer.waitFor();
}, 60_000);

test("reports that another client has deleted the thread, and can start a new thread", async () => {
  const { page, conversation, send } = await open("chat");
  await send("one");
  await conversation.getByText("heard one").waitFor();
  await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
  const id = (await page.evaluate<string>("location.hash")).split("/").at(-1)!;
  await officialClient(running.url, running.plane).threads.delete(id);
  await send("two");
  await page.getByRole("alert").filter({ hasText: id }).waitFor();
  await page.getByRole("link", { name: "New thread" }).click();
  await send("three");
  await conversation.getByText("heard three").waitFor();
});

test("stops a run even if the server does not return its ID", async () => {
  const { page, problems, send } = await open("chat", async (page) => {
    await page.addInitScript(`
      const get = Headers.prototype.get;
      Headers.prototype.get = function (name) {
        return name.toLowerCase() === "content-location" ? null : get.call(this, name);
      };
    `);
  });
  await send("wait");
  await page.getByRole("img", { name: /Running: plan\./ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
  expect(problems).toEqual([]);
});

test("reports that a run could not be stopped", async () => {
  const { page, problems, send } = await open("chat", (page) =>
    page.route(
      (url) => url.pathname.endsWith("/cancel"),
      (route) => route.fulfill({ status: 409, json: { detail: "The run has already ended." } }),
    ),
  );
  await send("wait");
  await page.getByRole("img", { name: /Running: plan\./ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("status").getByText("The run has already ended.").waitFor();
  expect(problems.filter((one) => !one.includes("409"))).toEqual([]);
});

test("shows threads and assistants even if the server reports only their IDs", async () => {
  const { page, problems } = await open("threads", async (page) => {
    const onlyId = (name: string) => (list: Record<string, unknown>[]) =>
      list.map(({ [name]: id, graph_id }) => ({ [name]: id, graph_id }));
    await change(page, "/threads/search", onlyId("thread_id"));
    await change(page, "/assistants/search", onlyId("assistant_id"));
    await change(page, "/history", (list: { values: unknown; checkpoint: unknown }[]) =>
      list.map(({ values, checkpoint }) => ({ values, checkpoint })),
    );
  });
  const list = page.getByRole("region", { name: "Threads" });
  await list.getByRole("link").first().click();
  await page.getByRole("table", { name: "Changes" }).waitFor();
  for (const section of ["Assistants", "Crons", "Store", "Chat"]) {
    await page.getByRole("navigation", { name: "Playground" }).getByRole("link", { name: section }).click();
    await page.getByRole("navigation", { name: "Playground" }).waitFor();
  }
  await page.getByLabel("Message").waitFor();
  expect(problems).toEqual([]);
});

test("reports that a view cannot show a response, and keeps other views usable", async () => {
  const { page } = await open("graph", (page) =>
    change(page, "/graph", () => ({ nodes: [{ id: "a" }], edges: [{ source: "a", target: "gone" }, null] })),
  );
  await page.getByRole("alert").getByText("This view cannot be shown").waitFor();
  await page.getByRole("navigation", { name: "Playground" }).getByRole("link", { name: "Threads" }).click();
  await page.getByRole("region", { name: "Threads" }).waitFor();
});

test("supports the keyboard, and returns the focus after a dialog", async () => {
  const { page, problems, conversation } = await open("chat");
  await page.getByLabel("Message").focus();
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await conversation.getByText("heard one").waitFor();
  await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
  await page.getByRole("link", { name: /^State and history/ }).focus();
  await page.keyboard.press("Enter");
  const edit = page.getByRole("button", { name: "Edit state…" });
  await edit.focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Values as JSON").waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Values as JSON").waitFor({ state: "hidden" });
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Edit state…");
  expect(problems).toEqual([]);
});

test("repeats failed requests to the agent when the user clicks Try again", async () => {
  let isDown = true;
  const { page } = await open("chat", (page) =>
    page.route(
      (url) => url.pathname.endsWith("/assistants/search"),
      (route) => (isDown ? route.fulfill({ status: 503, json: { detail: "Starting." } }) : route.continue()),
    ),
  );
  await page.getByRole("alert").getByText("The agent does not respond").waitFor();
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("Message").waitFor();
});

test("accepts messages to the same thread in two tabs, and shows both runs", async () => {
  const first = await open("chat");
  await first.send("one");
  await first.conversation.getByText("heard one").waitFor();
  const id = (await first.page.evaluate<string>("location.hash")).split("/").at(-1)!;
  const second = await open(`chat/${id}`);
  await second.conversation.getByText("heard one").waitFor();
  await second.send("two");
  await second.conversation.getByText("heard two").waitFor();
  await first.send("three");
  await first.conversation.getByText("heard three").waitFor();
  await first.conversation.getByText("heard two").waitFor();
  expect([...first.problems, ...second.problems]).toEqual([]);
});

test("keeps working after another client has deleted the selected assistant", async () => {
  const client = officialClient(running.url, running.plane);
  const { assistant_id: id } = await client.assistants.create({ graphId: "agent", name: "Short-lived" });
  const { page, conversation, send } = await open("chat");
  await page.getByRole("combobox", { name: /^Assistant/ }).selectOption(id);
  await client.assistants.delete(id);
  await send("one");
  await page
    .getByRole("alert")
    .filter({ hasText: /HTTP 404|not found/i })
    .waitFor();
  await page.getByRole("combobox", { name: /^Assistant/ }).selectOption({ label: "agent" });
  await send("two");
  await conversation.getByText("heard two").waitFor();
});

test("reports that the open deployment was deleted", async () => {
  const url = await deploy(running.plane, new Repository(agentFiles(fragile)), "deleted");
  const { page, problems } = await open("chat", async () => {}, url);
  await page.getByLabel("Message").waitFor();
  const id = url.split("/").at(-1)!;
  const { apiKey, tenantId, baseUrl } = running.plane;
  await fetch(`${baseUrl}/v2/deployments/${id}`, {
    method: "DELETE",
    headers: { "x-api-key": apiKey, "x-tenant-id": tenantId },
  });
  await page.getByText("This deployment no longer exists.").filter({ visible: true }).waitFor();
  expect(problems.filter((problem) => !/404|502/.test(problem))).toEqual([]);
});
