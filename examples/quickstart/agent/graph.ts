import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** Responds without a model. The greeting is a secret of the deployment, and the signature is part of the source. */
function answer({ messages }: typeof MessagesAnnotation.State) {
  const question = messages.at(-1)?.text;
  const { GREETING: greeting, SIGNATURE: signature } = process.env;
  return { messages: [new AIMessage(`${greeting}! You asked: "${question}" — ${signature}`)] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
