/** Returns the files of a repository whose configuration contains one Python graph. */
export function pythonFiles(
  graph: string,
  configuration: Record<string, unknown> = {},
): Record<string, string> {
  return {
    "langgraph.json": JSON.stringify({
      dependencies: ["."],
      graphs: { agent: "./agent.py:graph" },
      ...configuration,
    }),
    "agent.py": graph,
  };
}

/**
 * Returns a graph with one node that runs these lines of an async function. In these lines, `said` is the last message
 * and `answer` is the text of the response.
 */
export function pythonGraph(lines: string, atImport = ""): string {
  return `import asyncio, os, subprocess, sys
from langchain_core.messages import AIMessage
from langgraph.config import get_store
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
${atImport}

async def hear(state: MessagesState):
    return {"messages": []}

async def answer(state: MessagesState):
    said = str(state["messages"][-1].content)
    answer = f"heard {said}"
${lines
  .split("\n")
  .map((line) => `    ${line}`)
  .join("\n")}
    return {"messages": [AIMessage(answer)]}

graph = (
    StateGraph(MessagesState)
    .add_node("hear", hear)
    .add_node("answer", answer)
    .add_edge(START, "hear")
    .add_edge("hear", "answer")
    .add_edge("answer", END)
    .compile()
)
`;
}

/** Returns the Python counterpart of the agent that the gateway tests use. */
const versatile = (version: string): string =>
  pythonGraph(`if said == "slowly":
    await asyncio.sleep(1.5)
if said == "endlessly":
    await asyncio.sleep(3600)
if said == "fail":
    raise ValueError("asked to fail")
if said == "ask":
    answer = "told " + interrupt("what?")
if said == "version":
    answer = "${version}"
verb, key, value = (said.split(" ") + ["", ""])[:3]
store = get_store()
if verb == "remember":
    await store.aput(("memories",), key, {"value": value})
if verb == "scribble":
    await store.aput(("memories",), key, {"value": value})
if verb == "recall":
    item = await store.aget(("memories",), key)
    answer = item.value["value"] if item else "nothing"`);

/**
 * Returns the files of a project with a single Python graph, `agent`, which responds to the message "version" with this
 * version.
 */
export const versatilePython = (version = "one"): Record<string, string> => pythonFiles(versatile(version));
