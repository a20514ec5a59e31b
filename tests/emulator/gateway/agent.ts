import { agentFiles } from "../rollout/agents";

/**
 * Returns the source of an agent that executes the last message: it waits, fails, interrupts, stores values, or
 * modifies copies of stored values. It repeats any other message.
 */
const versatile = (version: string) => `
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("hear", async () => ({ messages: [] }))
  .addNode("answer", async ({ messages }, config) => {
    const said = String(messages.at(-1)?.content);
    if (said === "slowly") await new Promise((resolve) => setTimeout(resolve, 1500));
    if (said === "endlessly") await new Promise(() => setInterval(() => {}, 1000));
    if (said === "fail") throw new Error("asked to fail");
    if (said === "ask") return { messages: [new AIMessage("told " + interrupt("what?"))] };
    if (said === "version") return { messages: [new AIMessage("${version}")] };
    const [verb, key, value] = said.split(" ");
    if (verb === "remember") await config.store.put(["memories"], key, { value });
    if (verb === "scribble") {
      const own = { value };
      await config.store.put(["memories"], key, own);
      const items = [await config.store.get(["memories"], key), ...(await config.store.search(["memories"]))];
      for (const copy of [own, ...items.map((item) => item.value)]) copy.value = "scribbled over";
    }
    if (verb === "recall") {
      const item = await config.store.get(["memories"], key);
      return { messages: [new AIMessage(item ? item.value.value : "nothing")] };
    }
    return { messages: [new AIMessage("heard " + said)] };
  })
  .addEdge(START, "hear")
  .addEdge("hear", "answer")
  .addEdge("answer", END)
  .compile();
`;

/**
 * Returns the files of a project with a single graph, `agent`, which responds to the message "version" with this
 * version.
 */
export const versatileAgent = (version = "one") => agentFiles(versatile(version));

/** Returns the body of a run with this message. */
export const saying = (content: string, more: object = {}) => ({
  assistant_id: "agent",
  input: { messages: [{ role: "user", content }] },
  ...more,
});
