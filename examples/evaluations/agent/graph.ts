import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const answers: Record<string, string> = {
  hours: "We are open from nine to five.",
  price: "19.90",
  order: '{"id": 7, "status": "shipped"}',
};

/** Responds to a question about the shop. */
function answer({ messages }: typeof MessagesAnnotation.State) {
  const question = messages.at(-1)?.text ?? "";
  return { messages: [new AIMessage(answers[question] ?? "Sorry, I do not know that.")] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
