import { fc } from "../../properties";
import { apply } from "json-merge-patch";
import { mergePatch } from "../../../sdk/manifests/overlay";
import { manifestText, overlayText, parsed } from "./manifest-text";

// The examples of RFC 7396, appendix A.
test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("patches %j with %j, resulting in %j", (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

const names = fc.constantFrom("a", "b", "c", "spec", "0");
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, "", "text"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
}));

test("returns the same results as another implementation of the standard, and modifies no inputs", () => {
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const before = JSON.stringify([target, patch]);
      expect(mergePatch(target, patch)).toEqual(apply(structuredClone(target), patch as object));
      expect(JSON.stringify([target, patch])).toBe(before);
    }),
  );
});

test.each(["__proto__", "constructor", "prototype", "hasOwnProperty"])(
  "treats %s like any other field name",
  (name) => {
    const patch: unknown = JSON.parse(`{"${name}": {"polluted": true}, "after": 1}`);
    const merged = mergePatch({ before: 1 }, patch) as object;
    expect(Object.keys(merged)).toEqual(["before", name, "after"]);
    expect(mergePatch(merged, JSON.parse(`{"${name}": null}`))).toEqual({ before: 1, after: 1 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
);

test("changes, adds, and removes fields", () => {
  const { faults, deployments } = parsed(
    manifestText("rollout: { wait: false, timeout: 5m }\nsecrets: { A: '${secret:a}', B: '${secret:b}' }"),
    overlayText(
      "sourceRevisionConfig: { repoRef: v2 }\nrollout: { wait: null }\nsecrets: { B: null }\nprotect: true",
    ),
  );
  expect(faults).toEqual([]);
  expect(deployments[0]!.spec).toEqual({
    source: "github",
    sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
    sourceRevisionConfig: { repoRef: "v2" },
    rollout: { timeout: "5m" },
    secrets: { A: "${secret:a}" },
    protect: true,
  });
});

test("accepts a manifest without a required field if its overlay contains the field", () => {
  const incomplete = manifestText().replace("  source: github\n", "");
  expect(parsed(incomplete).faults).toEqual(["a.yaml:4:1: spec.source: is required"]);
  expect(parsed(incomplete, overlayText("source: github")).faults).toEqual([]);
});

test("reports an error at the location of the invalid value, in the manifest or the overlay", () => {
  const { faults } = parsed(
    manifestText("adopt: perhaps\nrollout: { wait: 5 }"),
    overlayText(
      "rollout: { timeout: soon }\nsourceRevisionConfig: { repo_ref: v2 }\nsource: null\nsecrets: { KEY: plain }",
    ),
  );
  expect(faults).toEqual([
    expect.stringMatching(/^a\.yaml:8:10: spec\.adopt: /),
    expect.stringMatching(/^a\.yaml:9:20: spec\.rollout\.wait: /),
    expect.stringMatching(/^overlays\/prod\/a\.yaml:5:23: spec\.rollout\.timeout: /),
    expect.stringMatching(
      /^overlays\/prod\/a\.yaml:6:27: spec\.sourceRevisionConfig\.repo_ref: .*did you mean repoRef/,
    ),
    "overlays/prod/a.yaml:7:11: spec.source: is required",
    expect.stringMatching(/^overlays\/prod\/a\.yaml:8:19: spec\.secrets\.KEY: is a plaintext value/),
  ]);
});

test("reports a value that an overlay leaves incomplete at its location in the overlay", () => {
  expect(
    parsed(manifestText("rollout: {}"), overlayText("rollout:\n  verify:\n    run: { input: 1 }")).faults,
  ).toEqual(["overlays/prod/a.yaml:6:5: spec.rollout.verify.graph: is required if run is specified"]);
});

test("reports an overlay for an undeclared deployment, and lists the declared ones", () => {
  expect(parsed(manifestText(), overlayText("protect: true", "suport-agent")).faults).toEqual([
    'overlays/prod/a.yaml:3:19: metadata.name: no manifest declares "suport-agent"; declared names: support-agent',
  ]);
});

test("reports both locations of two overlays for one deployment", () => {
  const overlay = overlayText("protect: true");
  expect(parsed(manifestText(), `${overlay}---\n${overlay}`).faults).toEqual([
    'overlays/prod/a.yaml:9:19: metadata.name: "support-agent" already has an overlay, at overlays/prod/a.yaml:3:19',
  ]);
});

test.each([
  [
    "kind: Deployment\nmetadata: { name: support-agent }\nspec: {}",
    'overlays/prod/a.yaml:1:1: apiVersion: invalid input: expected "agentserver/v1"',
  ],
  [overlayText("x: 1").replace("spec:\n  x: 1", "spec: text"), /spec: invalid input: expected record/],
  [overlayText("x: 1").replace("spec:\n  x: 1", "patch: {}\nspec: {}"), /patch: is not a field/],
])("reports an invalid overlay once: %j", (overlay, fault) => {
  expect(parsed(manifestText(), overlay).faults).toEqual([
    typeof fault === "string" ? fault : expect.stringMatching(fault),
  ]);
});

test("checks that a name from an overlay is unique", () => {
  const two = `${manifestText("", "sales")}---\n${manifestText("", "support")}`;
  expect(parsed(two, overlayText("name: sales", "support")).faults).toEqual([
    'overlays/prod/a.yaml:5:9: spec.name: "sales" is already the name of another deployment, at a.yaml:3:19',
  ]);
});
