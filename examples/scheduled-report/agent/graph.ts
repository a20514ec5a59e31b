import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const Report = Annotation.Root({
  topic: Annotation<string>(),
  days: Annotation<number>(),
  report: Annotation<string>(),
});

/** Writes the report; a real one would look something up. */
function write({ topic, days }: typeof Report.State) {
  return { report: `Nothing unusual about ${topic} in the last ${days} days.` };
}

export const graph = new StateGraph(Report)
  .addNode("write", write)
  .addEdge(START, "write")
  .addEdge("write", END)
  .compile();
