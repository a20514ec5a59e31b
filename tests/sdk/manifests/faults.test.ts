import { parseManifests } from "../../../sdk/manifests/parse";
import { formatFault } from "../../../sdk/manifests/fault";
import { manifestText, parsed } from "./manifest-text";

const parseFiles = (files: Record<string, string>) => {
  const manifests = Object.entries(files).map(([path, text]) => ({ path, text }));
  return parseManifests({ manifests }).faults.map(formatFault);
};

test("uses metadata.name as the name of the resource", () => {
  const { deployments, faults } = parsed(manifestText("rollout: { timeout: 20m }\nprotect: true"));
  expect(faults).toEqual([]);
  expect(deployments).toMatchObject([
    {
      name: "support-agent",
      spec: {
        source: "github",
        sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
        sourceRevisionConfig: { repoRef: "v1" },
        rollout: { timeout: "20m" },
        protect: true,
      },
    },
  ]);
});

test("reads the documents of several files in order, and ignores empty ones", () => {
  const first = `# two\n---\n${manifestText("", "one")}---\n# nothing\n---\n${manifestText("", "two")}`;
  const { deployments, faults } = parseManifests({
    manifests: [
      { path: "a.yaml", text: first },
      { path: "b.yaml", text: "" },
      { path: "c.yaml", text: "\n# only a comment\n" },
      { path: "d.yaml", text: `\uFEFF${manifestText("", "three").replaceAll("\n", "\r\n")}` },
    ],
  });
  expect(faults).toEqual([]);
  expect(deployments.map(({ name }) => name)).toEqual(["one", "two", "three"]);
});

test.each([
  ["source_config: {}", "a.yaml:8:3: spec.source_config: is not a field; did you mean sourceConfig?"],
  ["adopt: perhaps", 'a.yaml:8:10: spec.adopt: invalid option: expected one of "never"|"ifOwned"|"always"'],
  [
    "rollout:\n  timeout: soon",
    /^a\.yaml:9:14: spec\.rollout\.timeout: must be a positive duration of at most 24h/,
  ],
  [
    "rollout:\n  verify:\n    run: { input: {} }",
    "a.yaml:9:5: spec.rollout.verify.graph: is required if run is specified",
  ],
  ["protect: yes", "a.yaml:8:12: spec.protect: invalid input: expected boolean, received string"],
  [
    "secrets: { 1A: '${secret:a}' }",
    "a.yaml:8:14: spec.secrets.1A: must be a valid name of an environment variable",
  ],
  [
    "name: 5",
    "a.yaml:8:9: spec.name: invalid input: expected string, received number; put the value in quotes",
  ],
  ["name:", "a.yaml:8:3: spec.name: invalid input: expected string, received null"],
  ["name: ''", "a.yaml:8:9: spec.name: must not be empty"],
])("reports %j with its location", (spec, fault) => {
  expect(parsed(manifestText(spec)).faults).toEqual([
    typeof fault === "string" ? fault : expect.stringMatching(fault),
  ]);
});

test("reports all errors in all files at once, in order", () => {
  const faults = parseFiles({
    "b.yaml": manifestText("adopt: perhaps\nprotected: true", "b"),
    "a.yaml": "apiVersion: agentserver/v2\nkind: deployment\nmetadata: {}\nspec: { source: 1 }\nstatus: {}",
  });
  expect(faults).toEqual([
    'a.yaml:1:13: apiVersion: invalid input: expected "agentserver/v1"',
    'a.yaml:2:7: kind: invalid option: expected one of "Deployment"|"Assistant"|"Cron"|"StoreItems"',
    "a.yaml:3:1: metadata.name: is required",
    "a.yaml:4:1: spec.sourceConfig: is required",
    "a.yaml:4:1: spec.sourceRevisionConfig: is required",
    "a.yaml:4:17: spec.source: invalid input: expected string, received number; put the value in quotes",
    "a.yaml:5:1: status: is not a field; the fields are apiVersion, kind, metadata, spec",
    'b.yaml:8:10: spec.adopt: invalid option: expected one of "never"|"ifOwned"|"always"',
    "b.yaml:9:3: spec.protected: is not a field; did you mean protect?",
  ]);
});

test("reports files that are not manifests", () => {
  expect(parsed("just text").faults).toEqual(["a.yaml:1:1: invalid input: expected object, received string"]);
  expect(parsed("- 1\n- 2").faults).toEqual(["a.yaml:1:1: invalid input: expected object, received array"]);
});

test.each(["has space", "-dash", "a/b", "a::b", "__proto__", "ü", "x".repeat(256)])(
  "rejects the name %j",
  (name) => {
    expect(parsed(manifestText("", JSON.stringify(name))).faults).toEqual([
      expect.stringMatching(/^a\.yaml:3:19: metadata\.name: must /),
    ]);
  },
);

test("reports both locations of two documents with the same name", () => {
  expect(parseFiles({ "a.yaml": manifestText(), "b.yaml": `\n${manifestText()}` })).toEqual([
    'b.yaml:4:19: metadata.name: "support-agent" is already declared, at a.yaml:3:19',
  ]);
});

test("reports both locations of two deployments with the same name", () => {
  const faults = parseFiles({
    "a.yaml": manifestText("", "sales"),
    "b.yaml": manifestText("name: sales", "sales-eu"),
  });
  expect(faults).toEqual([
    'b.yaml:8:9: spec.name: "sales" is already the name of another deployment, at a.yaml:3:19',
  ]);
});

test("counts the characters and lines of locations in the same way as editors", () => {
  expect(parsed(manifestText("resourceSpec: 'ä€𝄞'").replaceAll("\n", "\r\n")).faults).toEqual([
    expect.stringContaining("a.yaml:8:3: spec.resourceSpec: is not a field"),
  ]);
});
