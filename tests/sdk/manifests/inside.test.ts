import { parseManifests } from "../../../sdk/manifests/parse";
import { formatFault } from "../../../sdk/manifests/fault";

const deployment = `
apiVersion: agentserver/v1
kind: Deployment
metadata: { name: support }
spec:
  source: internal_source
  sourceConfig: { deploymentType: serverless }
  sourceRevisionConfig: { folder: ./agent }
`;

const document = (kind: string, spec: string, name = "one") =>
  `apiVersion: agentserver/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`;

const read = (...texts: string[]) =>
  parseManifests({ manifests: [{ path: "a.yaml", text: [deployment, ...texts].join("---\n") }] });

const faultsOf = (...texts: string[]) => read(...texts).faults.map(formatFault);

test("accepts a deployment and its contents in one folder, even with the same name", () => {
  const { others, faults } = read(
    document("Assistant", "{ deployment: support, graph: agent, context: { style: brief } }", "support"),
    document("Cron", '{ deployment: support, assistant: support, schedule: "0 9 * * *" }'),
    document("StoreItems", "{ deployment: support, namespace: [handbook], folder: ./handbook }"),
  );
  expect(faults).toEqual([]);
  expect(others.map(({ kind, name }) => [kind, name])).toEqual([
    ["Assistant", "support"],
    ["Cron", "one"],
    ["StoreItems", "one"],
  ]);
});

test.each<[string, string, RegExp]>([
  [
    "a deployment that no manifest declares",
    document("Assistant", "{ deployment: other, graph: agent }"),
    /spec\.deployment: no manifest declares a deployment "other"; declared names: support$/,
  ],
  [
    "an unknown field",
    document("Assistant", "{ deployment: support, graph: agent, contxt: {} }"),
    /spec\.contxt: is not a field; did you mean context\?$/,
  ],
  [
    "an invalid schedule",
    document("Cron", "{ deployment: support, assistant: agent, schedule: daily }"),
    /spec\.schedule: must have five fields/,
  ],
  [
    "no deployment at all",
    document("Assistant", "{ graph: agent }"),
    /spec\.deployment: is required, unless you specify a connection/,
  ],
  [
    "both items and a folder",
    document("StoreItems", "{ deployment: support, namespace: [a], folder: ./a, items: {} }"),
    /spec\.items: is required unless folder is specified/,
  ],
  ["an unknown kind", document("Assistent", "{}"), /kind: invalid option: expected one of/],
])("reports %s with its location", (_what, text, fault) => {
  expect(faultsOf(text).join("\n")).toMatch(fault);
});

test("reports both locations of two resources with the same kind and name", () => {
  const one = document("Assistant", "{ deployment: support, graph: agent }");
  expect(faultsOf(one, one)).toEqual([
    expect.stringMatching(/metadata\.name: "one" is already declared, at a\.yaml:\d+/),
  ]);
});

test("applies an overlay only to the resource with its kind and name", () => {
  const { others, faults } = parseManifests({
    manifests: [
      {
        path: "a.yaml",
        text: [deployment, document("Assistant", "{ deployment: support, graph: agent }", "support")].join(
          "---\n",
        ),
      },
    ],
    overlays: [{ path: "b.yaml", text: document("Assistant", "{ context: { style: long } }", "support") }],
  });
  expect(faults).toEqual([]);
  expect(others).toMatchObject([{ spec: { graph: "agent", context: { style: "long" } } }]);
});
