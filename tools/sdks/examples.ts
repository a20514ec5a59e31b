import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../repository";
import { packageSchema, type PackageSchema } from "../schemas/package-schema";
import { generatePrograms, type GeneratorOptions } from "./generator";

/** Program in Pulumi YAML. */
export interface YamlProgram {
  configuration?: Record<string, { type: string; secret?: boolean }>;
  variables?: Record<string, { "fn::invoke": { function: string; arguments: object } }>;
  resources?: Record<string, { type: string; properties: object }>;
  outputs?: Record<string, unknown>;
}

const folder = join(repositoryRoot, "tools", "schemas", "examples");

/** Returns the handwritten example programs in a language, keyed by resource or function name. */
function examplesIn(extension: ".yaml" | ".go"): Record<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith(extension));
  return Object.fromEntries(
    files.sort().map((file) => [basename(file, extension), readFileSync(join(folder, file), "utf8")]),
  );
}

/** Returns the example programs in YAML, from which the others are generated. */
export function yamlExamples(): Record<string, string> {
  return examplesIn(".yaml");
}

/** Languages of the examples, in the order in which the registry displays them. */
const exampleLanguages = ["typescript", "python", "go"] as const;

/**
 * Returns the schema of the package with examples in its descriptions. They are generated from the examples in YAML,
 * except for those that are written in Go.
 */
export async function packageSchemaWithExamples(options: GeneratorOptions): Promise<PackageSchema> {
  const schema = packageSchema();
  const examples = yamlExamples();
  const sources = Object.entries(examples).map(([name, text]) => [name, toPcl(parse(text) as YamlProgram)]);
  const programs = await generatePrograms(
    schema,
    Object.fromEntries(sources) as Record<string, string>,
    options,
  );
  // For programs with lookups or plain collections, the engine's Go generator creates code that does not
  // compile.
  const writtenInGo = examplesIn(".go");
  for (const [name, text] of Object.entries(examples)) {
    const token = `agentserver:index:${name}`;
    const member = schema.resources[token] ?? schema.functions[token];
    if (!member) throw new Error(`The example ${name}.yaml belongs to no resource or function.`);
    const texts = { ...programs[name]!, ...(name in writtenInGo && { go: writtenInGo[name]! }) };
    const blocks = exampleLanguages.map((language) => [language, texts[language]] as const);
    member.description += exampleSection([...blocks, ["yaml", text]]);
  }
  return schema;
}

function exampleSection(blocks: (readonly [language: string, text: string])[]): string {
  const code = blocks.map(([language, text]) => `\`\`\`${language}\n${text.trim()}\n\`\`\``).join("\n");
  return `\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${code}\n\n{{% /example %}}\n{{% /examples %}}\n`;
}

/**
 * Returns the schema without the examples in its descriptions, so that schemas can be compared without the generator.
 */
export function withoutExamples(schema: PackageSchema): PackageSchema {
  const cut = (members: Record<string, { description?: string }>) =>
    Object.fromEntries(
      Object.entries(members).map(([token, member]) => [
        token,
        { ...member, description: member.description?.split("\n\n{{% examples %}}")[0] },
      ]),
    );
  return { ...schema, resources: cut(schema.resources), functions: cut(schema.functions) } as PackageSchema;
}

/** Converts a program to PCL, the language from which the engine generates programs. */
function toPcl({ configuration, variables, resources, outputs }: YamlProgram): string {
  const invocation = ({ function: name, arguments: args }: { function: string; arguments: object }) =>
    `invoke(${JSON.stringify(withModule(name))}, ${expression(args)})`;
  const body = (fields: object) =>
    Object.entries(fields).map(([name, value]) => `  ${name} = ${expression(value)}\n`);
  return [
    ...each(
      configuration,
      (name, { type, ...options }) => `config ${name} ${type} {\n${body(options).join("")}}`,
    ),
    ...each(variables, (name, variable) => `${name} = ${invocation(variable["fn::invoke"])}`),
    ...each(
      resources,
      (name, { type, properties }) =>
        `resource ${name} ${JSON.stringify(withModule(type))} {\n${body(properties).join("")}}`,
    ),
    ...each(outputs, (name, value) => `output ${name} {\n  value = ${expression(value)}\n}`),
  ].join("\n");
}

function each<Value>(
  members: Record<string, Value> | undefined,
  line: (name: string, value: Value) => string,
): string[] {
  return Object.entries(members ?? {}).map(([name, value]) => line(name, value));
}

/** Converts a type token: `agentserver:Deployment` becomes `agentserver:index:Deployment`. */
function withModule(token: string): string {
  return token.replace(":", ":index:");
}

function expression(value: unknown): string {
  if (typeof value === "string") return /^\$\{([\w.]+)\}$/.exec(value)?.[1] ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inside]) => `${key} = ${expression(inside)}`);
  return `{ ${fields.join(", ")} }`;
}
