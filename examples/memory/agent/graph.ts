import { AIMessage } from "@langchain/core/messages";
import {
  END,
  MessagesAnnotation,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from "@langchain/langgraph";

/** Responds with the requested page of the handbook. */
async function answer({ messages }: typeof MessagesAnnotation.State, { store }: LangGraphRunnableConfig) {
  const page = await store?.get(["handbook"], `${messages.at(-1)?.text}.md`);
  const content = (page?.value["content"] as string | undefined) ?? "The handbook says nothing about that.";
  return { messages: [new AIMessage(content)] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
