import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** Scores an answer. A real judge would ask a model. */
function judge({ messages }: typeof MessagesAnnotation.State) {
  const { answer } = JSON.parse(messages.at(-1)?.text ?? "{}") as { answer?: string };
  const isPolite = /sorry|please|thank/i.test(answer ?? "");
  const verdict = { score: isPolite ? 1 : 0, reason: isPolite ? "polite" : "not polite" };
  return { messages: [new AIMessage(JSON.stringify(verdict))] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("judge", judge)
  .addEdge(START, "judge")
  .addEdge("judge", END)
  .compile();
