import { Annotation, END, getStore, START, StateGraph } from "@langchain/langgraph";

const Question = Annotation.Root({ about: Annotation<string>(), answer: Annotation<string>() });

/** Answers with what stands in the handbook. */
async function look({ about }: typeof Question.State) {
  const item = await getStore()?.get(["handbook"], about);
  return { answer: (item?.value["answer"] as string | undefined) ?? `There is nothing about ${about}.` };
}

export const graph = new StateGraph(Question)
  .addNode("look", look)
  .addEdge(START, "look")
  .addEdge("look", END)
  .compile();
