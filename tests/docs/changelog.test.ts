import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../cli/program";
import { repositoryRoot } from "../../tools/repository";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const changelog = read("CHANGELOG.md");
const schema = JSON.parse(read("schemas/agentserver.json")) as {
  resources: Record<string, { inputProperties: object }>;
  functions: object;
  config: { variables: object };
};
const nameIn = (token: string) => token.split(":").at(-1)!;

test.each([
  ["resource and component", Object.keys(schema.resources).map(nameIn)],
  ["function", Object.keys(schema.functions).map(nameIn)],
  ["setting", Object.keys(schema.config.variables).map((name) => `agentserver:${name}`)],
  ["command", createProgram("0.1.0").commands.map((command) => `agentserver ${command.name()}`)],
])("mentions every %s", (_, names) => {
  expect(names.filter((name) => !new RegExp(`\`${name}\\b`).test(changelog))).toEqual([]);
});

test("mentions every input of a deployment", () => {
  // The changelog refers to these inputs differently.
  const words: Record<string, string> = {
    name: "`name`",
    sourceConfig: "Sources:",
    computeTier: "tiers",
    databaseTier: "tiers",
    deploymentTier: "tiers",
  };
  const inputs = Object.keys(schema.resources["agentserver:index:Deployment"]!.inputProperties);
  expect(inputs.filter((name) => !changelog.includes(words[name] ?? `\`${name}`))).toEqual([]);
});
