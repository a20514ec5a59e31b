import { commentLine } from "../comment";
import { Code, literal } from "../literal";
import type { ExportedContent } from "../model";

/**
 * Creates the statement that declares the resource in a program.
 *
 * @param isReferenced true if other statements refer to the resource
 */
export function contentStatement(content: ExportedContent, isReferenced: boolean): string {
  const { kind, resource, variable, deployment, inputs, assistant, title, notices } = content;
  const head = [title, ...notices].map((line) => `${commentLine("//", line)}\n`).join("");
  const args = {
    deployment: new Code(deployment.variable),
    ...inputs,
    ...(assistant && { assistant: new Code(assistant.variable) }),
  };
  const creation = `new ${kind}(${literal(resource)}, ${literal(args, 0, Infinity)});\n`;
  return head + (isReferenced ? `const ${variable} = ${creation}` : creation);
}
