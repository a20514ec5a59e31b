// Prints the messages of GitHub's parser about each specified workflow file.
import { readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

const faults = [];
for (const name of process.argv.slice(2)) {
  const { context, value } = parseWorkflow(
    { name, content: readFileSync(name, "utf8") },
    new NoOperationTraceWriter(),
  );
  if (value) await convertWorkflowTemplate(context, value);
  faults.push(context.errors.getErrors().map(({ message }) => message));
}
console.log(JSON.stringify(faults));
