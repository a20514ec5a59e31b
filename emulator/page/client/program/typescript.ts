import {
  ConfigSecret,
  type Connection,
  type Declaration,
  givenInputs,
  Inputs,
  resourceName,
  secretKeys,
} from "./declaration";
import { header, indented, quoted } from "./text";

/** Returns a TypeScript program that declares a resource. */
export function typescriptProgram(declaration: Declaration, connection: Connection): string {
  const { kind, name, deployment, inputs } = declaration;
  const keys = secretKeys(declaration);
  const isDeployment = deployment === undefined;
  const variable = kind[0]!.toLowerCase() + kind.slice(1);
  const imports = isDeployment ? [kind] : [kind, "getDeploymentOutput"];
  const reference = new Code("{ id: deployment.id, url: deployment.url }");
  const args = isDeployment ? inputs : new Inputs({ deployment: reference, ...inputs.values });
  return [
    header("//", declaration, connection, ["npm install @pulumi/pulumi pulumi-agentserver"]),
    keys.size > 0 ? 'import * as pulumi from "@pulumi/pulumi";\n' : "",
    `import { ${imports.join(", ")} } from "pulumi-agentserver";\n\n`,
    keys.size > 0 ? "const config = new pulumi.Config();\n\n" : "",
    isDeployment ? "" : `const deployment = getDeploymentOutput({ name: ${text(deployment)} });\n\n`,
    `const ${variable} = new ${kind}(${text(resourceName(name))}, ${expression(args, keys)});\n\n`,
    isDeployment ? "export const url = deployment.url;\n" : `export const id = ${variable}.id;\n`,
  ].join("");
}

/** Source code that is inserted unchanged. */
class Code {
  constructor(readonly text: string) {}
}

function expression(value: unknown, keys: ReadonlyMap<ConfigSecret, string>): string {
  if (value instanceof Code) return value.text;
  if (value instanceof ConfigSecret) return `config.requireSecret(${text(keys.get(value)!)})`;
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => expression(item, keys))
    : (value instanceof Inputs ? givenInputs(value) : Object.entries(value)).map(
        ([key, item]) => `${keyOf(key)}: ${expression(item, keys)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `  ${indented(part)},\n`).join("")}${close}`;
}

function keyOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : text(key);
}

function text(value: string): string {
  return quoted(value, (code) => `\\u{${code}}`);
}
