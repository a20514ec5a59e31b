import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv";
import ts from "typescript";
import { parse } from "yaml";
import {
  type Declaration,
  Inputs,
  languages,
  secretKeys,
} from "../../../../emulator/page/client/program/declaration";
import { programOf } from "../../../../emulator/page/client/program/program";
import * as sdk from "../../../../sdk";
import { repositoryRoot } from "../../../../tools/repository";
import { allRegistered, withoutEngine } from "../../../sdk/program";
import { connection, declarations, plainInputs, unwrapped } from "./declarations";

const titled = declarations.map((declaration) => [declaration.kind, declaration] as const);
const deployment = { id: "d-1", url: "http://127.0.0.1:8123/agents/d-1" };

/** Returns the expected inputs of a resource, with the deployment that contains it. */
function expectedInputs(declaration: Declaration): Record<string, unknown> {
  const inputs = plainInputs(declaration);
  return declaration.deployment === undefined ? inputs : { deployment, ...inputs };
}

describe("in TypeScript", () => {
  test("passes the type check against the package", () => {
    const programs = new Map(
      declarations.map((declaration, place) => [
        join(repositoryRoot, "examples", `copied-${place}.ts`),
        programOf("TypeScript", declaration, connection),
      ]),
    );
    const misspelled = join(repositoryRoot, "examples", "copied-misspelled.ts");
    programs.set(
      misspelled,
      programOf("TypeScript", { ...declarations[4]!, inputs: new Inputs({ wrong: "a" }) }, connection),
    );
    const found = typeErrors(programs);
    expect(found.filter(({ file }) => file !== misspelled)).toEqual([]);
    expect(found).toMatchObject([{ text: expect.stringContaining("wrong") }]);
  }, 120_000);

  test.each(titled)("declares the inputs of a resource of kind %s", async (_, declaration) => {
    await withoutEngine();
    for (const key of secretKeys(declaration).values())
      pulumi.runtime.setConfig(`shop:${key}`, `value of ${key}`);
    run(programOf("TypeScript", declaration, connection));
    const resource = await registered();
    expect(unwrapped(resource)).toMatchObject(expectedInputs(declaration));
  });
});

/** Returns the errors that the compiler reports for programs, by file. */
function typeErrors(programs: ReadonlyMap<string, string>): { file: string | undefined; text: string }[] {
  const configFile = join(repositoryRoot, "tsconfig.examples.json");
  const { config } = ts.readConfigFile(configFile, (name) => ts.sys.readFile(name)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repositoryRoot);
  const host = ts.createCompilerHost(options);
  const files: ts.CompilerHost = {
    ...host,
    fileExists: (name) => programs.has(name) || host.fileExists(name),
    readFile: (name) => programs.get(name) ?? host.readFile(name),
    getSourceFile: (name, language) => {
      const text = programs.get(name);
      return text === undefined
        ? host.getSourceFile(name, language)
        : ts.createSourceFile(name, text, language);
    },
  };
  const program = ts.createProgram([...programs.keys()], options, files);
  return [...programs.keys()]
    .map((name) => program.getSourceFile(name))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, messageText }) => ({
      file: file?.fileName,
      text: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
}

/** Runs a program. Each lookup of a deployment in the program returns the same deployment. */
function run(program: string): void {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const modules: Record<string, unknown> = {
    "@pulumi/pulumi": pulumi,
    "pulumi-agentserver": { ...sdk, getDeploymentOutput: () => pulumi.output(deployment) },
  };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- The program is the subject of the test.
  const body = new Function("require", "exports", outputText) as (...args: unknown[]) => void;
  body((name: string) => modules[name], {});
}

async function registered(): Promise<Record<string, unknown>> {
  await (pulumi.runtime as typeof pulumi.runtime & { waitForRPCs: () => Promise<void> }).waitForRPCs();
  return allRegistered()[0]!.inputs;
}

describe("in YAML", () => {
  test.each(titled)("declares the inputs of a resource of kind %s", (_, declaration) => {
    const program = parse(programOf("YAML", declaration, connection)) as YamlProgram;
    const [[name, resource] = ["", undefined]] = Object.entries(program.resources);
    const keys = [...secretKeys(declaration).values()];
    const secret = { type: "string", secret: true };
    expect(program.config ?? {}).toEqual(Object.fromEntries(keys.map((key) => [key, secret])));
    const values: Record<string, string> = Object.fromEntries(keys.map((key) => [key, `value of ${key}`]));
    const lookup = program.variables?.["deployment"]?.["fn::invoke"];
    if (lookup) {
      expect(Object.keys(schema.functions)).toContain(lookup.function);
      expect(evaluated(lookup.arguments, {})).toEqual({ name: declaration.deployment });
      Object.assign(values, { "deployment.id": deployment.id, "deployment.url": deployment.url });
    }
    const properties = evaluated(resource!.properties, values) as Record<string, unknown>;
    expect(properties).toEqual(expectedInputs(declaration));
    expect(schemaErrors(resource!.type, properties)).toEqual([]);
    expect(schemaErrors(resource!.type, { ...properties, wrong: "a" })).not.toEqual([]);
    expect(Object.values(program.outputs)).toEqual([
      declaration.deployment === undefined ? `\${${name}.url}` : `\${${name}.id}`,
    ]);
  });

  test("rejects data with a key that Pulumi YAML reserves", () => {
    const inputs = new Inputs({ namespace: ["a"], key: "a", value: { list: [{ "Fn::Secret": 1 }] } });
    const item = { ...declarations[3]!, inputs };
    expect(() => programOf("YAML", item, connection)).toThrow(
      "Pulumi YAML reserves the key Fn::Secret. Copy the program in another language.",
    );
  });
});

test("rejects data with a key that the provider does not accept", () => {
  const value = JSON.parse('{"list": [{"__proto__": 1}]}') as object;
  const item = { ...declarations[3]!, inputs: new Inputs({ namespace: ["a"], key: "a", value }) };
  for (const language of languages) expect(() => programOf(language, item, connection)).toThrow("__proto__");
});

test("rejects null in data if Python programs would omit it", () => {
  const inputs = new Inputs({ namespace: ["a"], key: "a", value: { list: [null, { empty: null }] } });
  const item = { ...declarations[3]!, inputs };
  expect(() => programOf("Python", item, connection)).toThrow("Copy the program in another language.");
  expect(programOf("TypeScript", item, connection)).toContain("empty: null");
});

interface YamlProgram {
  config?: object;
  variables?: Record<string, { "fn::invoke": { function: string; arguments: object } }>;
  resources: Record<string, { type: string; name: string; properties: object }>;
  outputs: object;
}

/** Evaluates the references in a value in the same way as Pulumi YAML, which replaces `$$` with `$`. */
function evaluated(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === "string")
    return value.replace(/\$\$|\$\{([^}]*)\}/g, (all, path: string | undefined) => {
      if (path === undefined) return "$";
      if (values[path] === undefined) throw new Error(`${all} does not exist`);
      return values[path];
    });
  if (Array.isArray(value)) return value.map((item) => evaluated(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [evaluated(key, values), evaluated(item, values)]),
  );
}

interface PackageSchema {
  resources: Record<string, { inputProperties: object; requiredInputs?: string[] }>;
  types: Record<string, object>;
  functions: object;
}

const schema = JSON.parse(
  readFileSync(join(repositoryRoot, "schemas", "agentserver.json"), "utf8"),
) as PackageSchema;

/** Returns the differences between the properties of a resource and the schema of the provider plugin. */
function schemaErrors(type: string, properties: object): unknown[] {
  const { inputProperties, requiredInputs = [] } = schema.resources[type]!;
  const definitions = Object.fromEntries(
    Object.entries(schema.types).map(([name, one]) => [
      name,
      "enum" in one
        ? { enum: (one.enum as { value: string }[]).map(({ value }) => value) }
        : { ...one, additionalProperties: false },
    ]),
  );
  const asJsonSchema = JSON.parse(
    JSON.stringify({
      type: "object",
      properties: inputProperties,
      required: requiredInputs,
      additionalProperties: false,
      types: definitions,
    })
      .replaceAll('"pulumi.json#/Any"', '"#/types/any"')
      .replaceAll('"oneOf"', '"anyOf"')
      .replaceAll(/,"(?:plain|secret|willReplaceOnChanges)":true/g, ""),
  ) as { types: Record<string, unknown> };
  asJsonSchema.types["any"] = {};
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(asJsonSchema);
  validate(properties);
  return validate.errors ?? [];
}
