import { fc } from "../../properties";
import { type DeploymentManifest, manifestOf } from "../../../sdk/manifests/format";
import { parseManifests } from "../../../sdk/manifests/parse";
import { resolveReferences } from "../../../sdk/manifests/resolve";
import { literalValue, writeManifests } from "../../../sdk/manifests/write";

const text = fc
  .string({ unit: "binary", minLength: 1, maxLength: 30 })
  .filter((value) => /\S/.test(value) && /^\P{C}*$/u.test(value));
/** Strings that YAML parses as other types if they are not quoted. */
const trap = fc.constantFrom(
  "yes",
  "no",
  "null",
  "~",
  "1.20",
  "12e3",
  "0x1F",
  "- a",
  "a: b",
  "#x",
  "*a",
  "&a",
  "!t",
  "|",
  ">",
  "%",
  "@",
  "`",
  "${secret:x}",
  "$${",
  "${",
  "---",
  "...",
  " a",
  "a ",
  "'",
  '"',
  "<<",
  "true",
  "2026-01-01",
  "1_000",
  ".inf",
);
const word = fc.oneof(
  text,
  trap.filter((value) => /\S/.test(value)),
);
const { free } = fc.letrec((tie) => ({
  free: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    fc.integer(),
    word,
    fc.array(tie("free"), { maxLength: 3 }),
    fc.dictionary(
      word.filter((name) => !name.includes("${") && name !== "__proto__"),
      tie("free"),
      { maxKeys: 3 },
    ),
  ),
}));

const some = <Shape extends object>(
  shape: Record<keyof Shape & string, fc.Arbitrary<unknown>>,
  needed: string[] = [],
) => fc.record(shape, { requiredKeys: needed as never[] }) as unknown as fc.Arbitrary<Shape>;

const spec = some<DeploymentManifest["spec"]>(
  {
    name: word,
    source: word,
    sourceConfig: some({
      repoUrl: word,
      buildOnPush: fc.boolean(),
      customUrl: fc.constantFrom(null, "https://a.example.com"),
      resourceSpec: fc.dictionary(fc.constantFrom("minScale", "labels", "constructor"), free),
    }),
    sourceRevisionConfig: some({ repoRef: word, imageUri: fc.option(word) }),
    secrets: fc.dictionary(fc.constantFrom("A", "B_2"), fc.constantFrom("pg://${env:A}@${secret:b}")),
    rollout: some({
      wait: fc.boolean(),
      timeout: fc.constant("1h30m"),
      triggers: fc.array(free, { maxLength: 3 }),
    }),
    environmentVariables: fc.dictionary(fc.constantFrom("C", "D_2"), word),
    agent: some({ agentId: word, environment: fc.constantFrom("staging", "production") }, [
      "agentId",
      "environment",
    ]),
    displayName: word,
    trackedRepoRef: word,
    secretReferences: fc.dictionary(fc.constantFrom("E"), fc.record({ secretName: word, secretKey: word })),
    shareable: fc.boolean(),
    routeThroughGateway: fc.boolean(),
    deploymentTier: word,
    computeTier: word,
    databaseTier: word,
    adopt: fc.constantFrom("never", "always"),
    deletionProtection: fc.boolean(),
    protect: fc.boolean(),
    retain: fc.boolean(),
  },
  ["source", "sourceConfig", "sourceRevisionConfig"],
);

/** Specifications with escaped strings. The strings in `secrets` are not escaped, because they are references. */
const escapedSpec = spec.map(({ secrets, ...rest }) => ({
  ...literalValue(rest),
  ...(secrets && { secrets }),
}));

const manifests = fc
  .uniqueArray(
    fc.record({ name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/), spec: escapedSpec }),
    { selector: ({ name }) => name, maxLength: 3 },
  )
  .map((all) =>
    all.map(({ name, spec: { name: _, ...own } }) => manifestOf(name, own as DeploymentManifest["spec"])),
  );

test("writes manifests that parse to the same declarations", () => {
  fc.assert(
    fc.property(manifests, (written) => {
      const file = writeManifests(written, { schema: "./schema.json" });
      const { deployments, faults } = parseManifests({ manifests: [{ path: "a.yaml", text: file }] });
      expect(faults).toEqual([]);
      expect(deployments.map(({ name, spec: read }) => ({ name, spec: read }))).toEqual(
        written.map((manifest) => ({ name: manifest.metadata.name, spec: manifest.spec })),
      );
    }),
  );
});

test("passes literal values to the deployment unchanged", () => {
  fc.assert(
    fc.property(free, word, (trigger, source) => {
      const own = { source, sourceConfig: {}, sourceRevisionConfig: {}, rollout: { triggers: [trigger] } };
      const file = writeManifests([manifestOf("a", literalValue(own))]);
      const { deployments, faults } = parseManifests({ manifests: [{ path: "a.yaml", text: file }] });
      expect(faults).toEqual([]);
      const none = () => undefined;
      expect(
        resolveReferences(deployments[0]!, {
          env: none,
          readableVariables: [],
          hide: none,
          secret: none,
          join: none,
        }).spec,
      ).toEqual(own);
    }),
  );
});

test("starts each file with a comment that tells editors its schema", () => {
  const manifest = manifestOf("a", {
    source: "github",
    sourceConfig: {},
    sourceRevisionConfig: { repoRef: "v1" },
  });
  expect(writeManifests([manifest, manifestOf("b", manifest.spec)], { schema: "../schema.json" })).toBe(
    `# yaml-language-server: $schema=../schema.json
apiVersion: agentserver/v1
kind: Deployment
metadata:
  name: a
spec:
  source: github
  sourceConfig: {}
  sourceRevisionConfig:
    repoRef: v1
---
apiVersion: agentserver/v1
kind: Deployment
metadata:
  name: b
spec:
  source: github
  sourceConfig: {}
  sourceRevisionConfig:
    repoRef: v1
`,
  );
});
