import axe from "axe-core";
import type { Page } from "playwright-core";
import { agentFiles } from "../rollout/agents";
import { Repository } from "../rollout/repository";
import { deploy, type Running, runDeployment } from "../gateway/deployment";
import { signIn, TestBrowser } from "./browser/browser";
import { savePicture } from "./browser/pictures";

/** Source of a graph that calls a tool, streams tokens, waits, fails, or asks a question. */
const talkative = `
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const model = new FakeListChatModel({ responses: ["It is sunny in the whole country."], sleep: 40 });
const last = (messages) => String(messages.at(-1)?.content);

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("plan", async ({ messages }) => {
    const said = last(messages);
    if (said === "wait") await new Promise((resolve) => setTimeout(resolve, 60_000));
    if (said === "fail") throw new Error("asked to fail");
    if (said === "ask") return { messages: [new AIMessage("You like " + interrupt("Which color?"))] };
    if (said !== "weather") return { messages: [new AIMessage("heard " + said)] };
    return { messages: [new AIMessage({ content: "", tool_calls: [{ id: "1", name: "forecast", args: { city: "Bern" } }] })] };
  })
  .addNode("tools", async ({ messages }) => {
    const [call] = messages.at(-1).tool_calls;
    return { messages: [new ToolMessage({ content: "sunny", tool_call_id: call.id, name: call.name })] };
  })
  .addNode("answer", async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
  .addEdge(START, "plan")
  .addConditionalEdges("plan", ({ messages }) => (messages.at(-1).tool_calls?.length ? "tools" : END), ["tools", END])
  .addEdge("tools", "answer")
  .addEdge("answer", END)
  .compile();
`;

/** Source of a graph without messages, in which two nodes ask a question at the same time. */
const typed = `
import { Annotation, interrupt, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  topic: Annotation<string>(),
  pages: Annotation<number>(),
  draft: Annotation<boolean>(),
  first: Annotation<string>(),
  second: Annotation<{ ok: boolean }>(),
});
export const graph = new StateGraph(State)
  .addNode("ask title", ({ topic }) => ({ first: interrupt("Title for " + topic + "?") }))
  .addNode("ask consent", ({ pages }) => ({ second: interrupt({ question: "Print?", pages }) }))
  .addEdge(START, "ask title")
  .addEdge(START, "ask consent")
  .compile();
`;

let browser: TestBrowser;
let running: Running;
let typedUrl: string;
beforeAll(async () => {
  browser = await TestBrowser.start();
  running = await runDeployment({}, agentFiles(talkative));
  typedUrl = await deploy(running.plane, new Repository(agentFiles(typed)), "typed");
}, 180_000);
afterAll(() => browser.close());

async function open(url = running.url, options: Parameters<TestBrowser["visit"]>[1] = {}) {
  const { plane } = running;
  const visit = await browser.visit(plane, options, `${plane.baseUrl}/#/playground/${url.split("/").at(-1)}`);
  await signIn(visit, plane);
  await visit.page.getByRole("button", { name: /^(Send|Run)$/ }).waitFor();
  return visit;
}

const send = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel("Message").fill(text);
  await page.locator("button:enabled").getByText("Send").waitFor();
  await page.keyboard.press("Enter");
};
const conversation = (page: Page) => page.getByRole("log", { name: "Conversation" });
const idle = (page: Page) => page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();

/** Returns the axe findings that would prevent users from reading or using the playground. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; impact: string; nodes: { target: string[] }[] }[]>(
    "axe.run().then(({ violations }) => violations)",
  );
  return found
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

test("streams tokens, and shows steps, tool calls, and the running node", async () => {
  const visit = await open();
  const { page, problems } = visit;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.evaluate(`
    window.texts = [];
    new MutationObserver(() => texts.push(document.querySelector(".messages").lastElementChild?.innerText)).observe(
      document.querySelector(".messages"), { subtree: true, childList: true, characterData: true });
  `);
  await send(page, "weather");
  await page.getByRole("img", { name: /Running: answer\./ }).waitFor();
  await conversation(page).getByText("It is sunny in the whole country.").waitFor();
  await idle(page);
  const parts = await page.evaluate<string[]>("texts");
  expect(parts).toContainEqual(expect.stringMatching(/It is .*[^.]$/));
  expect(await conversation(page).getByRole("article").allInnerTexts()).toEqual([
    expect.stringMatching(/^You\s+weather$/),
    expect.stringMatching(/^Assistant\s+Calls forecast$/),
    expect.stringMatching(/^Tool forecast\s+sunny$/),
    expect.stringMatching(/^Assistant\s+It is sunny in the whole country\.$/),
  ]);
  await page.getByText("Calls forecast").click();
  await page.getByText('"city": "Bern"').first().waitFor();
  const steps = page.getByRole("region", { name: "Steps" });
  expect(await steps.locator("summary").allInnerTexts()).toEqual(
    ["plan", "tools", "answer"].map((name) => expect.stringMatching(new RegExp(`^${name}\\s+done$`))),
  );
  expect(urls.filter((url) => url.includes(running.plane.apiKey))).toEqual([]);
  expect(await page.evaluate("document.documentElement.outerHTML")).not.toContain(running.plane.apiKey);
  expect(await visit.everything()).toContain("threads");
  expect(problems).toEqual([]);
});

test("stops a run, and retries a run without repeating its message", async () => {
  const { page, problems } = await open();
  await send(page, "hello");
  await conversation(page).getByText("heard hello").waitFor();
  await send(page, "wait");
  await page.getByRole("img", { name: /Running: plan\./ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await idle(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("img", { name: /Running: plan\./ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await idle(page);
  const texts = await conversation(page).getByRole("article").allInnerTexts();
  expect(texts.filter((text) => text.includes("wait"))).toHaveLength(1);
  await page.getByRole("link", { name: "New thread" }).click();
  await send(page, "fail");
  await page.getByRole("alert").getByText("asked to fail").waitFor();
  expect(problems).toEqual([]);
});

test("answers the question of an interrupted run, even after reloading the page", async () => {
  const { page, problems } = await open();
  await send(page, "ask");
  const questions = page.getByRole("region", { name: "Questions" });
  await questions.getByText("Which color?").waitFor();
  await page.reload();
  await questions.getByText("Which color?").waitFor();
  await page.getByLabel("Answer", { exact: true }).fill("blue");
  await page.getByRole("button", { name: "Resume" }).click();
  await conversation(page).getByText("You like blue").waitFor();
  expect(await questions.count()).toBe(0);
  expect(problems).toEqual([]);
});

test("generates a form from the schema of the graph, and answers several questions", async () => {
  const { page, problems } = await open(typedUrl);
  // The graph is in TypeScript, so it is compiled before its schema can be read.
  await page.getByLabel("topic").waitFor({ timeout: 60_000 });
  await page.getByLabel("topic").fill("Birds");
  await page.getByLabel("pages").fill("12");
  await page.getByLabel("draft").selectOption("true");
  await page.getByRole("button", { name: "Run" }).click();
  const questions = page.getByRole("region", { name: "Questions" });
  const title = questions.locator("form").filter({ hasText: "Title for Birds?" });
  await title.getByLabel("Answer", { exact: true }).fill("Owls");
  await title.getByRole("button", { name: "Resume" }).click();
  const consent = questions.locator("form").filter({ hasText: '"pages": 12' });
  await consent.getByLabel("Answer with JSON").check();
  await consent.getByLabel("Answer", { exact: true }).fill("{ok}");
  await consent.getByRole("button", { name: "Resume" }).click();
  await consent.getByRole("alert").getByText("Answer:").waitFor();
  await consent.getByLabel("Answer", { exact: true }).fill('{"ok": true}');
  await consent.getByRole("button", { name: "Resume" }).click();
  await conversation(page).getByText('"first": "Owls"').waitFor();
  expect(await conversation(page).innerText()).toMatch(/"draft": true[^]*"ok": true/);
  expect(problems).toEqual([]);
});

test("shows the state and changes at each checkpoint, edits the state, and forks", async () => {
  const { page, problems } = await open();
  await send(page, "first");
  await conversation(page).getByText("heard first").waitFor();
  await idle(page);
  await send(page, "second");
  await conversation(page).getByText("heard second").waitFor();
  await idle(page);
  await page.getByRole("link", { name: /^State and history/ }).click();
  const thread = page.getByRole("region", { name: "Thread", exact: true });
  const checkpoints = thread.getByRole("list", { name: "Checkpoints" }).getByRole("button");
  await thread.getByRole("table", { name: "Changes" }).getByText("heard second").waitFor();
  await checkpoints.nth(2).click();
  await thread.getByRole("link", { name: "Fork from here" }).click();
  await page.getByText("The next run starts from checkpoint").waitFor();
  await send(page, "third");
  await conversation(page).getByText("heard third").waitFor();
  await idle(page);
  expect(await conversation(page).innerText()).not.toContain("second");
  await idle(page);
  await page.getByRole("link", { name: /^State and history/ }).click();
  await page.getByRole("button", { name: "Edit state…" }).click();
  const values = { messages: [{ type: "human", content: "written by hand" }] };
  await page.getByLabel("Values as JSON").fill(JSON.stringify(values));
  await page.getByRole("button", { name: "Save" }).click();
  await thread.getByRole("table", { name: "Changes" }).getByText("written by hand").waitFor();
  const threads = page.getByRole("region", { name: "Threads" });
  await threads.getByLabel("Status").selectOption("interrupted");
  await threads.getByRole("link", { name: /ask/ }).waitFor({ state: "detached" });
  await threads.getByLabel("Status").selectOption("Status: all");
  await threads.getByLabel("Show only threads that contain").fill("heard third");
  await threads.getByRole("link", { name: /first/ }).waitFor();
  expect(problems).toEqual([]);
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each([
    ["desktop", { width: 1280, height: 800 }],
    ["phone", { width: 390, height: 844 }],
  ] as const)("shows the playground without serious accessibility errors on a %s", async (size, viewport) => {
    const { page, problems } = await open(running.url, { colorScheme, viewport });
    await send(page, "weather");
    await conversation(page).getByText("It is sunny in the whole country.").waitFor();
    await idle(page);
    await send(page, "ask");
    await page.getByRole("region", { name: "Questions" }).waitFor();
    const picture = (name: string) => savePicture(page, `playground-${name}-${colorScheme}-${size}`);
    await picture("chat");
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    await page.getByRole("link", { name: /^State and history/ }).click();
    await page.getByRole("table", { name: "Changes" }).waitFor();
    await picture("thread");
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    await page.getByRole("navigation", { name: "Playground" }).getByRole("link", { name: "Graph" }).click();
    await page.getByRole("img", { name: /^Graph with 5 nodes/ }).waitFor();
    await picture("graph");
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
