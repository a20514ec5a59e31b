import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../json";
import { settings } from "../../../provider/control-plane/setting-names";
import { kinds } from "../../../provider/kinds";
import * as sdk from "../../../sdk";
import { repositoryRoot } from "../../../tools/repository";
import { withoutExamples } from "../../../tools/sdks/examples";
import { packageSchema, type PackageSchema, packageSchemaPath } from "../../../tools/schemas/package-schema";

const schema = readJson<PackageSchema>(readFileSync(join(repositoryRoot, packageSchemaPath), "utf8"));
const resource = (name: string) => schema.resources[`agentserver:index:${name}`]!;
const names = (members: object) => Object.keys(members).map((token) => token.split(":")[2]);

test("matches the schema of the package (run `npm run schemas` to update it)", () => {
  expect(withoutExamples(schema)).toEqual(JSON.parse(JSON.stringify(packageSchema())));
});

test("contains every kind as a resource that has its dynamic type as an alias", () => {
  const types = Object.values(kinds).map((kind) => kind({}).type);
  for (const type of types)
    expect(resource(type)["aliases"]).toEqual([{ type: `pulumi-nodejs:dynamic/agentserver:${type}` }]);
  const components = ["Workspace", "AgentService", "Environments"];
  expect(names(schema.resources).sort()).toEqual([...types, ...components].sort());
  for (const component of components) expect(resource(component)["isComponent"]).toBe(true);
});

test("contains every function of the SDK", () => {
  const functions = Object.keys(sdk).filter((name) => `${name}Output` in sdk);
  // In TypeScript, `promote` has no `Output` variant, because it accepts and returns outputs.
  expect(names(schema.functions).sort()).toEqual([...functions, "promote"].sort());
});

test("contains every provider setting, and marks the credentials as secret", () => {
  for (const variables of [schema.config.variables, schema.provider.inputProperties]) {
    expect(Object.keys(variables).sort()).toEqual([...settings, "organization"].sort());
    const secret = Object.keys(variables).filter((name) => variables[name]!.secret);
    expect(secret).toEqual(["apiKey", "accessToken"]);
    // These must be strings, because SDKs pass values of all other types as JSON.
    for (const text of ["region", "dialect"]) expect(variables[text]).not.toHaveProperty("oneOf");
  }
});

test("describes every property, type, resource, and function", () => {
  const silent: string[] = [];
  const follow = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inside] of Object.entries(value)) {
      const isDescribed = typeof inside !== "object" || inside === null || (inside as Described).description;
      if (isCollection(path) && !isDescribed) silent.push(`${path}.${key}`);
      follow(inside, `${path}.${key}`);
    }
  };
  follow(schema, "");
  expect(silent).toEqual([]);
});

/** An object that has a description. */
interface Described {
  description?: string;
}

/** True for the path of an object whose values need descriptions. */
function isCollection(path: string): boolean {
  return /\.(properties|inputProperties|variables)$|^\.(types|resources|functions)$/.test(path);
}

test("refers to `clear` instead of `null`, which most SDKs omit", () => {
  const descriptions = (JSON.stringify(schema).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? []).map(
    (text) => (JSON.parse(`{${text}}`) as Described).description!,
  );
  const mentioning = descriptions.filter((text) => text.includes("`null`"));
  // The `clear` input itself, and a condition for promotions, which has no `clear` input.
  const others = mentioning.filter((text) => !/^(Paths of inputs to set to|Approved commit)/.test(text));
  expect(others).toEqual([]);
  expect(descriptions).toContain("Configuration of the runs. `clear` resets it.");
});

test("marks the inputs that are secret, and those that replace their resource when changed", () => {
  const marked = (flag: "secret" | "willReplaceOnChanges", name: string) =>
    Object.entries(resource(name).inputProperties)
      .filter(([, property]) => property[flag])
      .map(([input]) => input);
  expect(marked("secret", "Deployment")).toEqual(["secrets"]);
  expect(marked("secret", "AgentService")).toEqual(["secrets"]);
  const replacing = names(schema.resources).map((name) => [name, marked("willReplaceOnChanges", name!)]);
  expect(Object.fromEntries(replacing)).toEqual({
    Deployment: ["name", "agent", "source", "shareable"],
    Listener: ["computeId"],
    Assistant: ["assistantId"],
    Cron: ["assistant", "threadId", "multitaskStrategy"],
    Run: [],
    StoreItem: ["namespace", "key"],
    StoreItems: ["namespace"],
    Thread: ["threadId"],
    Workspace: [],
    AgentService: [],
    Environments: [],
  });
});

test("omits inputs that the provider computes and outputs that only the provider uses", () => {
  expect(resource("StoreItems").inputProperties).not.toHaveProperty("itemHashes");
  expect(resource("StoreItems").properties).toHaveProperty("itemHashes");
  expect(schema.types["agentserver:index:SourceRevisionConfig"]).not.toHaveProperty("properties.contentHash");
  for (const { properties } of Object.values(schema.resources))
    for (const name of [
      "schemaVersion",
      "omitted",
      "replaced",
      "creationId",
      "unsentRemovals",
      "unclearedInputs",
    ])
      expect(properties).not.toHaveProperty(name);
});

test("contains no default values, because SDKs would send them as inputs", () => {
  expect(JSON.stringify(schema)).not.toMatch(/"(default|defaultInfo)":/);
});
