import { runDeployment } from "../gateway/deployment";
import { pythonFiles, pythonGraph } from "../rollout/runtimes/python/agents";
import { describeWithPython } from "../rollout/runtimes/python/available";
import { signIn, TestBrowser } from "./browser/browser";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
});
afterAll(() => browser.close());

const streaming = pythonGraph(
  `if said == "ask":
    answer = "You like " + interrupt("Which color?")
if said == "stream":
    return {"messages": [await model.ainvoke(state["messages"])]}`,
  `from langchain_core.language_models.fake_chat_models import FakeListChatModel
model = FakeListChatModel(responses=["It is sunny in the whole country."], sleep=0.04)`,
);

describeWithPython(__filename)("with an agent in Python", () => {
  test("streams tokens, answers a question, and shows the state and the graph", async () => {
    const { plane, url } = await runDeployment({}, pythonFiles(streaming));
    const address = `${plane.baseUrl}/#/playground/${url.split("/").at(-1)}`;
    const visit = await browser.visit(plane, {}, address);
    const { page, problems } = visit;
    await signIn(visit, plane);
    const conversation = page.getByRole("log", { name: "Conversation" });
    const send = async (text: string): Promise<void> => {
      await page.getByLabel("Message").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.evaluate(`
      window.texts = [];
      new MutationObserver(() => texts.push(document.querySelector(".messages").lastElementChild?.innerText)).observe(
        document.querySelector(".messages"), { subtree: true, childList: true, characterData: true });
    `);
    await send("stream");
    await conversation.getByText("It is sunny in the whole country.").waitFor();
    expect(await page.evaluate<string[]>("texts")).toContainEqual(expect.stringMatching(/It is .*[^.]$/));
    await send("ask");
    await page.getByRole("region", { name: "Questions" }).getByText("Which color?").waitFor();
    await page.getByLabel("Answer", { exact: true }).fill("blue");
    await page.getByRole("button", { name: "Resume" }).click();
    await conversation.getByText("You like blue").waitFor();
    await page.getByRole("img", { name: /^Graph with 4 nodes.* hear to answer/ }).waitFor();
    await page.getByRole("link", { name: /^State and history/ }).click();
    await page.getByRole("table", { name: "Changes" }).getByText("You like blue").waitFor();
    expect(problems).toEqual([]);
  });
});
