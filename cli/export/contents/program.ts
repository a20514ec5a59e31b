import { commentLine } from "../comment";
import { Code, literal } from "../literal";
import type { ExportedContent } from "./exported-content";

/**
 * What declares it in a program.
 *
 * @param isNamed whether other statements refer to it
 */
export function contentStatement(content: ExportedContent, isNamed: boolean): string {
  const { kind, resource, variable, deployment, inputs, assistant, title, notices } = content;
  const head = [title, ...notices].map((line) => `${commentLine("//", line)}\n`).join("");
  const args = {
    deployment: new Code(deployment.variable),
    ...inputs,
    ...(assistant && { assistant: new Code(assistant.variable) }),
  };
  const made = `new ${kind}(${literal(resource)}, ${literal(args, 0, Infinity)});\n`;
  return head + (isNamed ? `const ${variable} = ${made}` : made);
}
