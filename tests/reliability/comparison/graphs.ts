/** IDs of the graphs. Each graph exists in both languages with the same behavior. */
export const graphIds = [
  "echo",
  "count",
  "fail",
  "ask",
  "parallel",
  "remember",
  "slow",
  "nested",
  "spread",
  "report",
  "configured",
  "jump",
] as const;

export type GraphId = (typeof graphIds)[number];

const python = `
import asyncio
import operator
from typing import Annotated, TypedDict

from langchain_core.messages import AIMessage
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, Send, interrupt


class State(TypedDict, total=False):
    topic: str
    steps: Annotated[list[str], operator.add]


def line(*nodes, state=State):
    graph = StateGraph(state)
    names = [START, *(node.__name__ for node in nodes), END]
    for node in nodes:
        graph.add_node(node.__name__, node)
    for one, other in zip(names, names[1:]):
        graph.add_edge(one, other)
    return graph.compile()


async def answer(state: MessagesState):
    return {"messages": [AIMessage("heard " + str(state["messages"][-1].content), id="answer")]}


async def first(state: State):
    return {"steps": ["first"]}


async def second(state: State):
    return {"steps": ["second"], "topic": "counted"}


async def break_down(state: State):
    raise ValueError("asked to fail")


async def question(state: State):
    return {"steps": [interrupt("which?")]}


async def left(state: State):
    return {"steps": [interrupt("left?")]}


async def right(state: State):
    return {"steps": [interrupt("right?")]}


async def store(state: State):
    await get_store().aput(("notes",), "topic", {"text": state["topic"]})
    item = await get_store().aget(("notes",), "topic")
    return {"steps": [item.value["text"]]}


async def wait(state: State):
    await asyncio.sleep(60 if state.get("topic") == "long" else 0.3)
    return {"steps": ["waited"]}


async def work(state: State):
    return {"steps": ["worked"]}


async def write(state: State):
    get_stream_writer()({"progress": 1})
    return {"steps": ["written"]}


async def read(state: State):
    return {"steps": [str(get_config()["configurable"].get("tone", "none"))]}


async def choose(state: State):
    return Command(goto="second", update={"steps": ["chosen"]})


echo = line(answer, state=MessagesState)
count = line(first, second)
fail = line(first, break_down)
ask = line(first, question)
parallel = (
    StateGraph(State).add_node("left", left).add_node("right", right)
    .add_edge(START, "left").add_edge(START, "right").compile()
)
remember = line(store)
slow = line(first, wait)
inner = line(first, second)
nested = (
    StateGraph(State).add_node("inner", inner).add_node("work", work)
    .add_edge(START, "inner").add_edge("inner", "work").compile()
)
spread = (
    StateGraph(State).add_node("work", work)
    .add_conditional_edges(START, lambda state: [Send("work", {}), Send("work", {})], ["work"]).compile()
)
report = line(write)
configured = line(read)
jump = (
    StateGraph(State).add_node("choose", choose, destinations=("second",)).add_node("second", second)
    .add_edge(START, "choose").compile()
)
`;

const javascript = `
import { AIMessage } from "@langchain/core/messages";
import { Annotation, Command, END, interrupt, MessagesAnnotation, Send, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  topic: Annotation<string>,
  steps: Annotation<string[]>({ reducer: (one, other) => one.concat(other), default: () => [] }),
});
type Node = (state: any, config: any) => Promise<any>;

function line(nodes: Record<string, Node>, state: any = State) {
  const graph: any = new StateGraph(state);
  const names = [START, ...Object.keys(nodes), END];
  for (const [name, node] of Object.entries(nodes)) graph.addNode(name, node);
  names.slice(1).forEach((name, index) => graph.addEdge(names[index], name));
  return graph.compile();
}

const answer: Node = async ({ messages }) => ({
  messages: [new AIMessage({ content: "heard " + messages.at(-1).content, id: "answer" })],
});
const first: Node = async () => ({ steps: ["first"] });
const second: Node = async () => ({ steps: ["second"], topic: "counted" });
const work: Node = async () => ({ steps: ["worked"] });

export const echo = line({ answer }, MessagesAnnotation);
export const count = line({ first, second });
export const fail = line({ first, break_down: async () => { throw new Error("asked to fail"); } });
export const ask = line({ first, question: async () => ({ steps: [interrupt("which?")] }) });
export const parallel = new StateGraph(State)
  .addNode("left", async () => ({ steps: [interrupt("left?") as string] }))
  .addNode("right", async () => ({ steps: [interrupt("right?") as string] }))
  .addEdge(START, "left").addEdge(START, "right").compile();
export const remember = line({
  store: async ({ topic }, { store }) => {
    await store.put(["notes"], "topic", { text: topic });
    return { steps: [(await store.get(["notes"], "topic")).value.text] };
  },
});
export const slow = line({
  first,
  wait: async ({ topic }) => {
    await new Promise((resolve) => setTimeout(resolve, topic === "long" ? 60_000 : 300));
    return { steps: ["waited"] };
  },
});
const inner: any = new StateGraph(State).addNode("first", first).addNode("second", second)
  .addEdge(START, "first").addEdge("first", "second").addEdge("second", END).compile();
export const nested = new StateGraph(State).addNode("inner", inner).addNode("work", work)
  .addEdge(START, "inner").addEdge("inner", "work").compile();
export const spread = new StateGraph(State).addNode("work", work)
  .addConditionalEdges(START, () => [new Send("work", {}), new Send("work", {})], ["work"]).compile();
export const report = line({
  write: async (_, { writer }) => {
    writer({ progress: 1 });
    return { steps: ["written"] };
  },
});
export const configured = line({
  read: async (_, { configurable }) => ({ steps: [String(configurable?.tone ?? "none")] }),
});
export const jump = new StateGraph(State)
  .addNode("choose", async () => new Command({ goto: "second", update: { steps: ["chosen"] } }), { ends: ["second"] })
  .addNode("second", second).addEdge(START, "choose").compile();
`;

const graphsIn = (file: string) => Object.fromEntries(graphIds.map((id) => [id, `./${file}:${id}`]));

/** Files of a project that contains all graphs, by language. */
export const projects = {
  Python: {
    "langgraph.json": JSON.stringify({ dependencies: ["."], graphs: graphsIn("graphs.py") }),
    "graphs.py": python,
  },
  JavaScript: {
    "langgraph.json": JSON.stringify({ graphs: graphsIn("src/graphs.ts") }),
    "src/graphs.ts": javascript,
  },
} satisfies Record<string, Record<string, string>>;

/** Languages of the agents on the local control plane. */
export type Language = keyof typeof projects;
