import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** Responds without a model, with a greeting from the environment of the deployment. */
function answer({ messages }: typeof MessagesAnnotation.State) {
  return { messages: [new AIMessage(`${process.env.GREETING}, ${messages.at(-1)?.text}!`)] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
