import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, MessagesAnnotation, START, StateGraph, type Runtime } from "@langchain/langgraph";

/** What an assistant says about the way in which it answers. */
const Tone = Annotation.Root({
  tone: Annotation<"brief" | "friendly" | "formal">(),
  signature: Annotation<string | undefined>(),
});

const greetings = { brief: "Yes.", friendly: "Of course, with pleasure!", formal: "Certainly." };

/** Answers without a model, in the tone of the assistant. */
function answer({ messages }: typeof MessagesAnnotation.State, { context }: Runtime<typeof Tone.State>) {
  const { tone = "brief", signature } = context ?? {};
  const text = `${greetings[tone]} You asked: "${messages.at(-1)?.text}"`;
  return { messages: [new AIMessage(signature === undefined ? text : `${text} — ${signature}`)] };
}

export const graph = new StateGraph(MessagesAnnotation, Tone)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
