/**
 * Returns the files of a repository whose configuration contains one graph. The graph is an ES module, because an agent
 * server with a CommonJS graph loads its packages twice. The examples contain CommonJS graphs.
 */
export function agentFiles(
  graph: string,
  configuration: Record<string, unknown> = {},
): Record<string, string> {
  return {
    "langgraph.json": JSON.stringify({ graphs: { agent: "./src/agent.ts:graph" }, ...configuration }),
    "package.json": '{ "type": "module" }',
    "src/agent.ts": graph,
  };
}

const imports = `
import { AIMessage } from "@langchain/core/messages";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
`;

/**
 * Returns the source of a graph. `body` is the body of an async function that returns the text of the response; `said`
 * is the last message.
 */
export function answeringGraph(body: string, atImport = ""): string {
  return `${imports}${atImport}
enum Kind { Answer = "answer" }
export const graph = new StateGraph(MessagesAnnotation)
  .addNode(Kind.Answer, async ({ messages }) => {
    const said = String(messages.at(-1)?.content);
    const text: string = await (async () => { ${body} })();
    return { messages: [new AIMessage(text)] };
  })
  .addEdge("__start__", Kind.Answer)
  .compile();
`;
}

/** Source of an agent that responds with its environment, and carelessly prints a secret. */
export const greeter = answeringGraph(
  "console.log(`called with ${process.env.NAME}`); return `${process.env.GREETING}, ${process.env.NAME}: ${said}`;",
);

/** Source of an agent that responds slowly to the message "slowly". */
export const slowAnswerer = answeringGraph(
  'if (said === "slowly") await new Promise((resolve) => setTimeout(resolve, 1500)); return `heard ${said}`;',
);
