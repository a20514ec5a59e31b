import {
  ConfigSecret,
  type Connection,
  type Declaration,
  givenInputs,
  Inputs,
  resourceName,
  secretKeys,
} from "./declaration";
import { header, indented, longEscape, quoted } from "./text";

/**
 * Returns a Python program that declares a resource.
 *
 * @throws Error if the data of the resource contains an object with a null value, because the Pulumi SDK for Python
 * omits such values
 */
export function pythonProgram(declaration: Declaration, connection: Connection): string {
  const { kind, name, deployment, inputs } = declaration;
  const keys = secretKeys(declaration);
  const isDeployment = deployment === undefined;
  const variable = snakeCase(kind[0]!.toLowerCase() + kind.slice(1));
  const args = [
    text(resourceName(name)),
    ...(isDeployment ? [] : ['deployment={"id": deployment.id, "url": deployment.url}']),
    ...givenInputs(inputs).map(([input, value]) => `${snakeCase(input)}=${expression(value, keys)}`),
  ];
  const lookup = `deployment = agentserver.get_deployment_output(name=${text(deployment ?? "")})\n\n`;
  return [
    header("#", declaration, connection, ["Requires the Python SDK of the provider plugin."]),
    "import pulumi\nimport pulumi_agentserver as agentserver\n\n",
    keys.size > 0 ? "config = pulumi.Config()\n\n" : "",
    isDeployment ? "" : lookup,
    `${variable} = agentserver.${kind}(\n${args.map((arg) => `    ${indented(arg, "    ")},\n`).join("")})\n\n`,
    isDeployment ? 'pulumi.export("url", deployment.url)\n' : `pulumi.export("id", ${variable}.id)\n`,
  ].join("");
}

/** Returns a Python expression for a value in an object. */
function member(value: unknown, keys: ReadonlyMap<ConfigSecret, string>): string {
  if (value === null)
    throw new Error(
      "The resource contains a null, which Python programs cannot pass to Pulumi. Copy the program in another language.",
    );
  return expression(value, keys);
}

function expression(value: unknown, keys: ReadonlyMap<ConfigSecret, string>): string {
  if (value instanceof ConfigSecret) return `config.require_secret(${text(keys.get(value)!)})`;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return text(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => expression(item, keys))
    : value instanceof Inputs
      ? givenInputs(value).map(([input, item]) => `${text(snakeCase(input))}: ${expression(item, keys)}`)
      : Object.entries(value).map(([key, item]) => `${text(key)}: ${member(item, keys)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `    ${indented(part, "    ")},\n`).join("")}${close}`;
}

/** Returns the name of an input in the Python SDK. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function text(value: string): string {
  return quoted(value, longEscape);
}
