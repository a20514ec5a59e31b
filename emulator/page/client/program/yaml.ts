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
 * Returns a Pulumi YAML program that declares a resource.
 *
 * @throws Error if the resource contains a key that Pulumi YAML reserves
 */
export function yamlProgram(declaration: Declaration, connection: Connection): string {
  const { kind, name, deployment, inputs } = declaration;
  const keys = secretKeys(declaration);
  const isDeployment = deployment === undefined;
  const variable = kind[0]!.toLowerCase() + kind.slice(1);
  const reference = { id: new Reference("deployment.id"), url: new Reference("deployment.url") };
  const program = {
    name: resourceName(deployment ?? name),
    runtime: "yaml",
    plugins: { providers: [{ name: "agentserver", path: "node_modules/.bin" }] },
    ...(keys.size > 0 && {
      config: Object.fromEntries([...keys.values()].map((key) => [key, { type: "string", secret: true }])),
    }),
    ...(!isDeployment && {
      variables: {
        deployment: {
          "fn::invoke": {
            function: "agentserver:index:getDeployment",
            arguments: { name: literalText(deployment) },
          },
        },
      },
    }),
    resources: {
      [variable]: {
        type: `agentserver:index:${kind}`,
        name: resourceName(name),
        properties: { ...(!isDeployment && { deployment: reference }), ...(escaped(inputs, keys) as object) },
      },
    },
    outputs: isDeployment
      ? { url: new Reference("deployment.url") }
      : { id: new Reference(`${variable}.id`) },
  };
  return `${header("#", declaration, connection, ["npm install pulumi-agentserver"])}\n${block(program)}\n`;
}

/** Reference to a property of a resource, or to a configuration value. */
class Reference {
  constructor(readonly path: string) {}
}

/** Returns a value in which no string is parsed as a reference or as a function. */
function escaped(value: unknown, keys: ReadonlyMap<ConfigSecret, string>): unknown {
  if (value instanceof ConfigSecret) return new Reference(keys.get(value)!);
  if (typeof value === "string") return literalText(value);
  if (Array.isArray(value)) return value.map((item) => escaped(item, keys));
  if (typeof value !== "object" || value === null) return value;
  const entries = value instanceof Inputs ? givenInputs(value) : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [literalKey(key), escaped(item, keys)]));
}

function literalText(text: string): string {
  return text.replaceAll(/\$(?=[${])/g, "$$$$");
}

function literalKey(key: string): string {
  if (/^fn::/i.test(key))
    throw new Error(`Pulumi YAML reserves the key ${key}. Copy the program in another language.`);
  return literalText(key);
}

/** Returns a value in block style. */
function block(value: unknown): string {
  if (value instanceof Reference) return `\${${value.path}}`;
  if (typeof value === "string")
    return /^[A-Za-z][\w./-]*$/.test(value) && !isWord(value) ? value : text(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return value.length === 0 ? "[]" : value.map((item) => `- ${indented(block(item))}`).join("\n");
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  return entries
    .map(([key, item]) => {
      const name = /^[A-Za-z_]\w*(?:::\w+)?$/.test(key) && !isWord(key) ? key : text(key);
      return `${name}:${isNested(item) ? `\n  ${indented(block(item))}` : ` ${block(item)}`}`;
    })
    .join("\n");
}

function isNested(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !(value instanceof Reference) &&
    Object.keys(value).length > 0
  );
}

/** True if a plain scalar would be parsed as a boolean, as null, or as a number. */
function isWord(text: string): boolean {
  return /^(?:true|false|null|yes|no|on|off|y|n|inf|nan)$/i.test(text);
}

function text(value: string): string {
  return quoted(value, longEscape);
}
