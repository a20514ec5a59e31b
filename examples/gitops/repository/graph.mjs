import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** Responds without a model. The greeting is a secret of the deployment. */
function answer({ messages }) {
  return { messages: [new AIMessage(`${process.env.GREETING}! You asked: "${messages.at(-1)?.text}"`)] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
