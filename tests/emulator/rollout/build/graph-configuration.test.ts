import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { readGraphConfiguration } from "../../../../emulator/rollout/build/graph-configuration";
import { Repository, temporaryFolder } from "../repository";

const graphs = { agent: "./agent.ts:graph" };

function read(configuration: unknown, path = "langgraph.json", files: Record<string, string> = {}) {
  const repository = new Repository();
  const text = typeof configuration === "string" ? configuration : JSON.stringify(configuration);
  repository.write({ "langgraph.json": text, "agent.ts": "", ...files });
  return readGraphConfiguration(repository.folder, path);
}

test("resolves paths in a configuration relative to its folder", async () => {
  const text = JSON.stringify({
    graphs: { a: "../agent.ts:one", b: { path: "b.ts:two", description: "B" } },
    python_version: 3,
  });
  const found = await read({}, "apps/one/langgraph.json", {
    "apps/one/langgraph.json": text,
    "apps/one/b.ts": "",
    "apps/agent.ts": "",
  });
  expect(found.folder).toMatch(/apps\/one$/);
  expect(found.graphs).toMatchObject([
    { id: "a", export: "one", shown: "apps/agent.ts" },
    { id: "b", export: "two", shown: "apps/one/b.ts" },
  ]);
});

test("accepts env as a map or as the path of a file, and warns if the file is missing", async () => {
  expect((await read({ graphs, env: { A: "1", B: 2, C: true } })).env).toEqual({ A: "1", B: "2", C: "true" });
  const file = await read({ graphs, env: ".env" }, undefined, { ".env": "# c\nA=1\nB='two words'\n" });
  expect(file.env).toEqual({ A: "1", B: "two words" });
  const missing = await read({ graphs, env: ".env" });
  expect(missing.env).toEqual({});
  expect(missing.warnings).toEqual([expect.stringContaining("the env file .env does not exist")]);
});

test.each<[string, unknown, string]>([
  ["a file that is not JSON", "{", "langgraph.json is not valid JSON"],
  ["a configuration without graphs", {}, "langgraph.json is not valid: graphs: "],
  ["an empty map of graphs", { graphs: {} }, "graphs: must contain at least one graph"],
  [
    "a graph without an export",
    { graphs: { a: "./agent.ts" } },
    'graphs.a: must have the format "path:export"',
  ],
  [
    "a graph whose path lacks an export",
    { graphs: { a: { path: "./agent.ts" } } },
    'graphs.a: path: must have the format "path:export"',
  ],
  ["a graph that is a number", { graphs: { a: 1 } }, "graphs.a: "],
  [
    "a missing graph file",
    { graphs: { a: "./gone.ts:graph" } },
    "the file ./gone.ts of graph a does not exist",
  ],
  [
    "a graph outside the source",
    { graphs: { a: "../../etc/passwd:graph" } },
    "../../etc/passwd of graph a is outside",
  ],
  ["a missing Python file", { graphs: { a: "./agent.py:graph" } }, "./agent.py of graph a does not exist"],
  ...[3.12, "3", "python3.12", null].map((python_version): [string, unknown, string] => [
    `the version of Python ${python_version}`,
    { graphs: { a: "my_agent.graph:graph" }, python_version },
    'langgraph.json is not valid: python_version: must be a string such as "3.12"',
  ]),
  ["an env of the wrong type", { graphs, env: 3 }, "env: "],
  ["a nested env", { graphs, env: { A: { b: 1 } } }, "env: A: "],
  [
    "an env file outside the source",
    { graphs, env: "../.env" },
    "the env file ../.env is outside the source",
  ],
  ["a missing auth file", { graphs, auth: { path: "./auth.ts:auth" } }, "auth.path does not exist"],
])("explains what is wrong with %s", async (_, configuration, reason) => {
  await expect(read(configuration)).rejects.toThrow(reason);
});

test("reads the dependencies of a Python project, and graphs in files or modules", async () => {
  const needs = { python_version: "3.12", dependencies: [".", "requests"], pip_config_file: "pip.conf" };
  const python = { a: "./agent.py:graph", b: { path: "my_agent.graph:make", description: "Speaks" } };
  const found = await read({ graphs: python, ...needs }, undefined, { "agent.py": "" });
  expect(found.language).toEqual({
    name: "python",
    version: "3.12",
    dependencies: [".", "requests"],
    pipConfigFile: "pip.conf",
  });
  expect(found.graphs).toEqual([
    { id: "a", file: join(found.folder, "agent.py"), export: "graph", shown: "agent.py" },
    { id: "b", module: "my_agent.graph", export: "make", shown: "my_agent.graph", description: "Speaks" },
  ]);
});

test("requires the configuration to be a file in the repository", async () => {
  await expect(read({ graphs }, "other.json")).rejects.toThrow(
    "The graph configuration other.json does not exist",
  );
  await expect(read({ graphs }, "../x.json")).rejects.toThrow("The graph configuration ../x.json is outside");
  await expect(read({ graphs }, "/etc/passwd")).rejects.toThrow("is outside the source");
  const repository = new Repository();
  const elsewhere = temporaryFolder("elsewhere");
  symlinkSync(elsewhere, join(repository.folder, "link"));
  await expect(readGraphConfiguration(repository.folder, "link/langgraph.json")).rejects.toThrow(
    "does not exist",
  );
  symlinkSync("/etc/passwd", join(repository.folder, "langgraph.json"));
  await expect(readGraphConfiguration(repository.folder, "langgraph.json")).rejects.toThrow("is outside");
});
