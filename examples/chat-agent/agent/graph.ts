import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph, type Runtime } from "@langchain/langgraph";

/** Context that each assistant specifies: the style of its responses. */
const Context = Annotation.Root({ style: Annotation<"brief" | "thorough" | "friendly"> });

const openings = { brief: "In short", thorough: "To answer in full", friendly: "Good question" };

/** Answers without a model, in the style of the assistant. */
function answer({ messages }: typeof MessagesAnnotation.State, { context }: Runtime<typeof Context.State>) {
  const opening = openings[context?.style ?? "brief"];
  return { messages: [new AIMessage(`${opening}: you asked "${messages.at(-1)?.text}"`)] };
}

export const graph = new StateGraph(MessagesAnnotation, Context)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
