import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** Writes the report without a model. */
function report({ messages }: typeof MessagesAnnotation.State) {
  return { messages: [new AIMessage(`Report about ${messages.at(-1)?.text}: all is well.`)] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("report", report)
  .addEdge(START, "report")
  .addEdge("report", END)
  .compile();
