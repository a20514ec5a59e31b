import { keptSecrets } from "../../../provider/hosts/kept-secrets";
import { kinds } from "../../../provider/kinds";

const deployment = kinds.provider({});
const thread = kinds.thread();

test("does not keep an output secret because of text that the program specifies", () => {
  const sourceRevisionConfig = { repoRef: "v1", graphConfigPath: "langgraph.json" };
  const before = {
    values: { source: "github", sourceRevisionConfig, rolledOut: { source: "github", sourceRevisionConfig } },
    secretPaths: ["sourceRevisionConfig.repoRef", "rolledOut"],
  };
  const wanted = { source: "github", sourceRevisionConfig: { ...sourceRevisionConfig, repoRef: "v2" } };
  const program = { values: wanted, secretPaths: [] };
  const rolledOut = { source: "github", sourceRevisionConfig: wanted.sourceRevisionConfig };
  expect(keptSecrets(deployment, before, program, { ...wanted, rolledOut })).toEqual([]);
  const failed = { ...wanted, rolledOut: before.values.rolledOut };
  expect(keptSecrets(deployment, before, program, failed)).toEqual(["rolledOut"]);
});

test.each<[string, object, string[], object, object, string[]]>([
  [
    "a value that is still on the server",
    { k: "former" },
    ["metadata.k"],
    { k: "x" },
    { k: "former" },
    ["metadata.k"],
  ],
  [
    "a copy of a long secret",
    { k: "former-secret" },
    ["metadata.k"],
    {},
    { url: "/?former-secret" },
    ["metadata.url"],
  ],
  ["no copy of a short secret", { k: "prod" }, ["metadata.k"], { env: "dev" }, { env: "prod" }, []],
  ["no missing value", { k: "former" }, ["metadata.k"], { k: "x" }, { k: null }, []],
  [
    "a group without its entries",
    { k: "former-secret" },
    ["metadata"],
    {},
    { k: "former-secret" },
    ["metadata"],
  ],
  [
    "nothing after a success",
    { k: "former-secret" },
    ["metadata.k"],
    { k: "former-secret" },
    { k: "former-secret" },
    [],
  ],
])("marks %s", (_, before, secretPaths, wanted, after, expected) => {
  const kept = keptSecrets(
    thread,
    { values: { metadata: before }, secretPaths },
    { values: { metadata: wanted }, secretPaths: [] },
    { metadata: after },
  );
  expect(kept).toEqual(expected);
});

test("keeps a copy secret if the program specifies the text in a map of secrets", () => {
  const sourceRevisionConfig = { repoRef: "former-secret" };
  const before = {
    values: { sourceRevisionConfig, rolledOut: { sourceRevisionConfig } },
    secretPaths: ["sourceRevisionConfig.repoRef", "rolledOut"],
  };
  const wanted = { sourceRevisionConfig: { repoRef: "v2" }, secrets: { REF: "former-secret" } };
  const after = { ...wanted, rolledOut: { sourceRevisionConfig } };
  expect(keptSecrets(deployment, before, { values: wanted, secretPaths: [] }, after)).toContain("rolledOut");
});

test("keeps a copy secret if the program specifies the text in another secret input", () => {
  const before = { values: { metadata: { k: "former-secret" } }, secretPaths: ["metadata.k"] };
  const program = { values: { graph: "former-secret", metadata: {} }, secretPaths: ["graph"] };
  const after = { graph: "former-secret", metadata: { url: "/?former-secret" } };
  expect(keptSecrets(thread, before, program, after)).toEqual(["metadata.url"]);
});
