import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { list } from "tar";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { readJson } from "../../json";
import { runGo } from "../../../tools/dev-engine/build";
import { run } from "../../../tools/process";
import { Progress } from "../../../tools/progress";
import { ensurePythonEnvironment } from "../../../tools/python/environment";
import { pythonRequirements } from "../../../tools/python/program";
import { writeSdks } from "../../../tools/release/sdk-files";
import { repositoryRoot } from "../../../tools/repository";
import { packageSchemaWithExamples, yamlExamples, type YamlProgram } from "../../../tools/sdks/examples";
import { generateSdks } from "../../../tools/sdks/generator";
import { buildFlags, createGoModule } from "../../../tools/sdks/go-module";
import { type PackageSchema, packageSchemaPath } from "../../../tools/schemas/package-schema";
import { temporaryFolder } from "../temporary-folder";

const schema = readJson<PackageSchema>(readFileSync(join(repositoryRoot, packageSchemaPath), "utf8"));
const options = { env: process.env, progress: new Progress() };
const members = { ...schema.resources, ...schema.functions };
const nameOf = (token: string) => token.split(":")[2]!;

/** Returns the examples of all resources and functions in a language, keyed by name. */
function examplesIn(language: string): Record<string, string> {
  const found = Object.entries(members).map(([token, { description }]) => [
    nameOf(token),
    new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\``, "s").exec(description!)?.[1],
  ]);
  return Object.fromEntries(found) as Record<string, string>;
}

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder({});
  // Fails if binding the schema results in any diagnostics.
  await generateSdks(join(folder, "sdks"), options);
});

test("matches the examples in the schema (run `npm run schemas` to update them)", async () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(await packageSchemaWithExamples(options))));
});

test("has an example for every resource and function in every language", () => {
  for (const language of ["typescript", "python", "go", "yaml"])
    expect(Object.entries(examplesIn(language)).filter(([, text]) => !text)).toEqual([]);
});

test("uses only schema properties in the YAML examples, including all required ones", () => {
  for (const text of Object.values(yamlExamples())) {
    const { resources = {}, variables = {} } = parse(text) as YamlProgram;
    for (const { type, properties } of Object.values(resources)) {
      const resource = schema.resources[type.replace(":", ":index:")]!;
      expectProperties(properties, resource.inputProperties, resource.requiredInputs!);
    }
    for (const { "fn::invoke": call } of Object.values(variables)) {
      const { inputs } = schema.functions[call.function.replace(":", ":index:")]!;
      expectProperties(call.arguments, inputs.properties, inputs.required);
    }
  }
});

/** Expects that an object has all required fields and no unknown ones, including in nested named types. */
function expectProperties(value: object, fields: object, required: readonly string[]): void {
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(value)));
  expect(Object.keys(value)).toEqual(expect.arrayContaining([...required]));
  for (const [name, inside] of Object.entries(value))
    expectType(inside, (fields as Record<string, FieldType>)[name]!);
}

/** Type of a field in the schema. */
interface FieldType {
  $ref?: string;
  items?: FieldType;
  additionalProperties?: FieldType;
}

function expectType(value: unknown, { $ref, items, additionalProperties }: FieldType): void {
  if (items) for (const item of value as unknown[]) expectType(item, items);
  if (additionalProperties)
    for (const item of Object.values(value as object)) expectType(item, additionalProperties);
  const type = schema.types[$ref?.replace("#/types/", "") ?? ""];
  if (type && "properties" in type) expectProperties(value as object, type.properties, type.required);
}

/** Returns the Python programs of the guides, keyed by file name. */
function guidePrograms(): Record<string, string> {
  const guides = join(repositoryRoot, "examples", "guides");
  const names = readdirSync(guides).filter((name) => name.endsWith(".py"));
  return Object.fromEntries(
    names.map((name) => [`guide_${basename(name, ".py")}`, readFileSync(join(guides, name), "utf8")]),
  );
}

/**
 * Starts a type check of Python programs with the generated SDK. If Python is missing, the check is skipped with a
 * message, except in CI.
 */
async function typeCheck(programs: Record<string, string>): Promise<string | undefined> {
  const environment = await ensurePythonEnvironment(pythonRequirements, process.env);
  if ("missing" in environment) {
    if (process.env["CI"] === "true") throw new Error(environment.missing);
    process.stderr.write(`Skipped: the Python SDK is not checked: ${environment.missing}\n`);
    return undefined;
  }
  const files = Object.entries(programs).map(([name, text]) => {
    const file = join(folder, "python", `example_${name}.py`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
  const { stdout } = await run(
    environment.python,
    ["-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", join(folder, "mypy"), ...files],
    { cwd: folder, env: { ...process.env, MYPYPATH: join(folder, "sdks", "python") } },
  );
  return stdout;
}

test("generates a Python SDK whose types accept the examples and reject misspelled keys (mypy)", async () => {
  const output = await typeCheck({
    ...examplesIn("python"),
    ...guidePrograms(),
    misspelled: [
      "import pulumi_agentserver as agentserver",
      'agentserver.StoreItem("a", key="a", namespace=["a"], value={}, server={"url": "a"})',
      'agentserver.StoreItem("b", key="b", namespace=["b"], value={}, connection={"ulr": "b"})',
      'agentserver.Workspace("c", manifests="c", overlay="c")',
      'environments: agentserver.EnvironmentArgsDict = {"environment": "d", "gate": {"approvedFrom": "d"}}',
    ].join("\n"),
  });
  if (output === undefined) return;
  const errors = output.split("\n").filter((line) => line.includes(": error: "));
  expect(errors.map((line) => /example_\w+\.py:\d+/.exec(line)?.[0])).toEqual(
    expect.arrayContaining([2, 3, 4, 5].map((line) => `example_misspelled.py:${line}`)),
  );
  expect(errors.filter((line) => !line.includes("example_misspelled.py"))).toEqual([]);
});

/** Returns the lines of the Python files in a folder of SDKs. */
function pythonLines(sdks: string): string[] {
  const sdk = join(sdks, "python", "pulumi_agentserver");
  return readdirSync(sdk, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".py"))
    .flatMap((name) => readFileSync(join(sdk, name), "utf8").split("\n"));
}

const clearPaths = /Possible paths: .*/;

test("uses Python names in the descriptions of the Python SDK, except in the paths for `clear`", () => {
  const lines = pythonLines(join(folder, "sdks"));
  const others = lines.map((line) => line.replace(clearPaths, ""));
  const names = others.flatMap((line) => line.match(/`(?:[a-z]+\.)*[a-z]+[A-Z][\w.]*`/g) ?? []);
  // A value of `adopt`, and keys of `resource_spec`, which are the same in all languages.
  expect([...new Set(names)].sort()).toEqual(["`ifOwned`", "`memoryMb`", "`minScale`"]);
  const text = others.join("\n");
  for (const name of ["source_revision_config.repo_ref", "get_deployment", "opts.custom_timeouts"])
    expect(text).toContain(`\`${name}\``);
  expect(lines.join("\n")).toContain("Possible paths: `sourceConfig.customUrl`");
});

test("mentions only existing Python names in the Python SDK, and none in text about manifests", () => {
  const lines = pythonLines(join(folder, "sdks"));
  const declared = new Set(lines.flatMap((line) => /^ *(?:def )?(\w+)[:(]/.exec(line)?.[1] ?? []));
  const mentioned = (line: string) => line.match(/`(?:[a-z0-9]+\.)*[a-z0-9]+_[a-z0-9_.]*`/g) ?? [];
  const names = lines.flatMap(mentioned).flatMap((name) => name.slice(1, -1).split("."));
  // A resource option, and values of `source`.
  const others = ["custom_timeouts", "external_docker", "internal_source", "internal_template"];
  expect([...new Set(names)].filter((name) => !declared.has(name)).sort()).toEqual(others);
  // Names in manifests are the same in all languages.
  expect(lines.filter((line) => line.includes("manifest")).flatMap(mentioned)).toEqual([]);
  // A function that exists only in TypeScript.
  expect(lines.filter((line) => line.includes("`pulumi.secret`"))).toEqual([]);
});

test("translates only whole names in the Python SDK, including digits and keywords", async () => {
  const descriptions = {
    k8sNamespace: "`k8sNamespace`, `listenerConfig.k8sNamespace`",
    from: "`from`, `window.from`",
    baseURL: "`baseURL`, `databaseURL`, `baseURLs`, `Thing.baseURL`",
    listenerConfig: "`--listenerConfig`, `$listenerConfig`, `agentserver:listenerConfig`, listenerConfig",
  };
  const properties = Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { type: "string", description }]),
  );
  const file = join(folder, "names.json");
  const resources = { "agentserver:index:Thing": { inputProperties: properties } };
  writeFileSync(file, JSON.stringify({ name: "agentserver", version: "1.0.0", resources }));
  await generateSdks(join(folder, "names"), options, file);
  const lines = pythonLines(join(folder, "names")).map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      ":param pulumi.Input[_builtins.str] k8s_namespace: `k8s_namespace`, `listener_config.k8s_namespace`",
      ":param pulumi.Input[_builtins.str] from_: `from_`, `window.from_`",
      ":param pulumi.Input[_builtins.str] base_url: `base_url`, `databaseURL`, `baseURLs`, `Thing.base_url`",
      `:param pulumi.Input[_builtins.str] listener_config: ${descriptions.listenerConfig}`,
    ]),
  );
});

test("creates the SDK files for a release", async () => {
  // The type check reports that Python is missing.
  if ("missing" in (await ensurePythonEnvironment(pythonRequirements, process.env))) return;
  const release = join(folder, "release");
  await writeSdks(release, options);
  expect(readdirSync(release).sort()).toEqual([
    `pulumi-agentserver-go-${version}.tar.gz`,
    `pulumi-agentserver-plugin-${version}.tgz`,
    `pulumi_agentserver-${version}-py3-none-any.whl`,
    `pulumi_agentserver-${version}.tar.gz`,
    "schema.json",
  ]);
  const node = await pathsIn(join(release, `pulumi-agentserver-plugin-${version}.tgz`));
  const ofNode = ["LICENSE", "index.d.ts", "index.js", "package.json"].map((file) => `package/${file}`);
  expect(node).toEqual(expect.arrayContaining(ofNode));
  const python = await pathsIn(join(release, `pulumi_agentserver-${version}.tar.gz`));
  const ofPython = ["__init__.py", "py.typed", "pulumi-plugin.json"].map(
    (file) => `pulumi_agentserver-${version}/pulumi_agentserver/${file}`,
  );
  expect(python).toEqual(expect.arrayContaining(ofPython));
  const go = await pathsIn(join(release, `pulumi-agentserver-go-${version}.tar.gz`));
  expect(go).toEqual(expect.arrayContaining(["LICENSE", "go.mod", "agentserver/deployment.go"]));
});

/** Returns the paths of the files in an archive. */
async function pathsIn(file: string): Promise<string[]> {
  const paths: string[] = [];
  await list({ file, onReadEntry: ({ path }) => void paths.push(path) });
  return paths;
}

test("generates a Go SDK that the examples compile against", async () => {
  const module = join(folder, "go");
  const programs = Object.entries(examplesIn("go")).map(([name, text]) => [
    `${name.toLowerCase()}/main.go`,
    text,
  ]);
  createGoModule(module, join(folder, "sdks", "go"), Object.fromEntries(programs) as Record<string, string>);
  // Checks the types without linking the programs, which would take a long time.
  await expect(
    runGo(["vet", ...buildFlags, "./..."], module, { env: process.env, report: () => {} }),
  ).resolves.toBe("");
});

test("generates a Node SDK that the TypeScript examples compile against", async () => {
  const programs = join(repositoryRoot, ".agentserver", "sdk-examples");
  mkdirSync(programs, { recursive: true });
  cpSync(join(folder, "sdks", "nodejs"), join(programs, "sdk"), { recursive: true });
  for (const [name, text] of Object.entries(examplesIn("typescript")))
    writeFileSync(join(programs, `${name}.ts`), text);
  const paths = { "pulumi-agentserver-plugin": ["./sdk/index.ts"] };
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, types: ["node"], paths };
  const target = { target: "es2023", module: "node20", moduleResolution: "node16" };
  writeFileSync(
    join(programs, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...target }, include: ["*.ts"] }),
  );
  const tsc = join(repositoryRoot, "node_modules", "typescript", "bin", "tsc");
  expect(await run(process.execPath, [tsc, "-p", programs])).toMatchObject({ code: 0, stdout: "" });
});
