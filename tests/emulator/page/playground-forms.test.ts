import axe from "axe-core";
import { agentFiles } from "../rollout/agents";
import { pythonFiles } from "../rollout/runtimes/python/agents";
import { describeWithPython } from "../rollout/runtimes/python/available";
import { type Running, runDeployment } from "../gateway/deployment";
import { signIn, TestBrowser } from "./browser/browser";

/** Source of a graph that asks questions with schemas, and that describes the parts of each message. */
const asking = `
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const review = {
  $ref: "#/$defs/Review",
  $defs: {
    Review: {
      type: "object",
      required: ["approved", "level", "author"],
      properties: {
        approved: { type: "boolean" },
        level: { anyOf: [{ const: "low" }, { const: "high" }] },
        author: { $ref: "#/$defs/Author" },
        tags: { type: "array", items: { type: "string" } },
      },
    },
    Author: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string", description: "Full name" }, age: { type: "integer" } },
    },
  },
};
const schemas = {
  review: { responseSchema: review },
  text: { responseSchema: { type: "string" } },
  empty: { responseSchema: {} },
};
const ask = (content) => "answer " + JSON.stringify(interrupt("Question " + content, schemas[content]));
const describe = (part) => part.type === "text" ? part.text : part.type + " " + part.image_url.url.slice(0, 22);

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", ({ messages }) => {
    const { content } = messages.at(-1);
    if (Array.isArray(content)) return { messages: [new AIMessage("got " + content.map(describe).join(", "))] };
    return { messages: [new AIMessage(ask(content))] };
  })
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
`;

/** Source of the same graph in Python. */
const askingPython = `from typing import Literal, Optional
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel, Field

class Author(BaseModel):
    name: str = Field(description="Full name")
    age: Optional[int] = None

class Review(BaseModel):
    approved: bool
    level: Literal["low", "high"]
    author: Author
    tags: list[str] = []

def answer(state: MessagesState):
    content = state["messages"][-1].content
    if isinstance(content, list):
        parts = [part["text"] if part["type"] == "text" else part["type"] + " " + part["image_url"]["url"][:22] for part in content]
        return {"messages": [AIMessage("got " + ", ".join(parts))]}
    review = interrupt("Question review", response_schema=Review)
    return {"messages": [AIMessage("answer " + review.model_dump_json())]}

graph = StateGraph(MessagesState).add_node("answer", answer).add_edge(START, "answer").add_edge("answer", END).compile()
`;

/** Picture that a test attaches to a message. */
let png: Buffer;
let browser: TestBrowser;
beforeAll(async () => {
  browser = await TestBrowser.start();
}, 180_000);
afterAll(() => browser.close());

async function open({ plane, url }: Running, options: Parameters<TestBrowser["visit"]>[1] = {}) {
  const visit = await browser.visit(plane, options, `${plane.baseUrl}/#/playground/${url.split("/").at(-1)}`);
  await signIn(visit, plane);
  const { page, problems } = visit;
  await page.getByRole("button", { name: "Send" }).waitFor();
  png = await page.screenshot({ clip: { x: 0, y: 0, width: 20, height: 10 } });
  const conversation = page.getByRole("log", { name: "Conversation" });
  const send = async (text: string): Promise<void> => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  const questions = page.getByRole("region", { name: "Questions" });
  return { page, problems, conversation, send, questions };
}

describe("with an agent in JavaScript", () => {
  let running: Running;
  beforeAll(async () => {
    running = await runDeployment({}, agentFiles(asking));
  }, 180_000);

  test("sends images with or without text, and shows the images", async () => {
    const { page, problems, conversation } = await open(running);
    const attach = (name: string, mimeType: string, buffer: Buffer) =>
      page.getByLabel("Attach images").setInputFiles({ name, mimeType, buffer });
    await attach("notes.txt", "text/plain", Buffer.from("hello"));
    await page.getByRole("alert").getByText("notes.txt is not an image.").waitFor();
    await attach("dot.png", "image/png", png);
    await page.getByLabel("Message").fill("look");
    await page.getByRole("button", { name: "Send" }).click();
    await conversation.getByText("got look, image_url data:image/png;base64,").waitFor();
    await attach("dot.png", "image/png", png);
    await page.getByRole("button", { name: "Send" }).click();
    await conversation.getByText("got image_url data:image/png;base64,").waitFor();
    await conversation.getByRole("img", { name: "Attached image (image/png)" }).first().waitFor();
    expect(await conversation.getByRole("img").count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test("does not send images that were attached before the kind of input was changed", async () => {
    const { page, problems, questions } = await open(running);
    await page
      .getByLabel("Attach images")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: png });
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    await page.getByLabel("Message").fill("text");
    await page.getByRole("button", { name: "Send" }).click();
    await questions.getByText("Question text").waitFor();
    expect(problems).toEqual([]);
  });

  test("generates a form for an answer from its schema", async () => {
    const { problems, conversation, send, questions } = await open(running);
    await send("review");
    const resume = questions.getByRole("button", { name: "Resume" });
    await resume.click();
    // The browser does not submit a form without its required fields.
    await questions.getByText("Question review").waitFor();
    await questions.getByLabel("approved").selectOption("false");
    await questions.getByLabel("level").selectOption("high");
    const author = questions.getByRole("group", { name: "author" });
    await author.getByLabel("name").fill("Ada");
    await author.getByText("Full name").waitFor();
    await questions.getByLabel("tags").fill('["a"]');
    await resume.click();
    await conversation
      .getByText('answer {"approved":false,"level":"high","author":{"name":"Ada"},"tags":["a"]}')
      .waitFor();
    expect(problems).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "shows forms and images without serious accessibility errors on a phone in the %s theme",
    async (colorScheme) => {
      const viewport = { width: 390, height: 844 };
      const { page, conversation, send, questions } = await open(running, { colorScheme, viewport });
      await page
        .getByLabel("Attach images")
        .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: png });
      await send("look");
      await conversation.getByText("got look").waitFor();
      await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
      await send("review");
      await questions.getByLabel("approved").waitFor();
      await page.evaluate(axe.source);
      const found = await page.evaluate<{ id: string; impact: string }[]>(
        "axe.run().then((all) => all.violations)",
      );
      expect(found.filter(({ impact }) => ["serious", "critical"].includes(impact))).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    },
  );

  test("accepts answers with a schema without properties, and with an empty schema", async () => {
    const { problems, conversation, send, questions } = await open(running);
    await send("text");
    await questions.getByLabel("Answer", { exact: true }).fill("blue");
    await questions.getByRole("button", { name: "Resume" }).click();
    await conversation.getByText('answer "blue"').waitFor();
    await send("empty");
    await questions.getByLabel("Answer (JSON)").fill('{"a": 1}');
    await questions.getByRole("button", { name: "Resume" }).click();
    await conversation.getByText('answer {"a":1}').waitFor();
    expect(problems).toEqual([]);
  });
});

describeWithPython(__filename)("with an agent in Python", () => {
  test("sends images, and shows the form again after an invalid answer", async () => {
    const running = await runDeployment({}, pythonFiles(askingPython));
    const { page, problems, conversation, send, questions } = await open(running);
    await page
      .getByLabel("Attach images")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: png });
    await send("look");
    await conversation.getByText("got look, image_url data:image/png;base64,").waitFor();
    await send("review");
    await questions.getByLabel("Answer with JSON").check();
    await questions.getByLabel("Answer", { exact: true }).fill('{"approved": true}');
    await questions.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("alert").getByText("level").waitFor();
    await questions.getByLabel("Approved").selectOption("true");
    await questions.getByLabel("Level").selectOption("low");
    await questions.getByRole("group", { name: "Author" }).getByLabel("Name").fill("Ada");
    await questions.getByRole("button", { name: "Resume" }).click();
    await conversation
      .getByText('answer {"approved":true,"level":"low","author":{"name":"Ada","age":null},"tags":[]}')
      .waitFor();
    expect(problems).toEqual([]);
  }, 180_000);
});
