import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv";
import { parse } from "yaml";
import { readJson } from "../../json";
import { repositoryRoot } from "../../../tools/repository";
import { type JsonSchema, manifestSchemas } from "../../../tools/schemas/manifest-schema";

const kept = (path: string) => JSON.parse(readFileSync(join(repositoryRoot, path), "utf8")) as JsonSchema;

function compiled(path: string): ValidateFunction {
  return new Ajv({ allErrors: true, unicodeRegExp: true, validateFormats: false }).compile(kept(path));
}

test("matches the schemas in the package (run `npm run schemas` to update them)", () => {
  for (const [path, schema] of Object.entries(manifestSchemas())) expect(kept(path)).toEqual(schema);
});

test("makes the schemas available under the package's name", () => {
  const { exports } = readJson<{ exports: Record<string, unknown> }>(
    readFileSync(join(repositoryRoot, "package.json"), "utf8"),
  );
  expect(exports["./schemas/*"]).toBe("./schemas/*");
  expect(Object.keys(manifestSchemas())).toEqual([
    "schemas/deployment-manifest.schema.json",
    "schemas/deployment-overlay.schema.json",
    "schemas/assistant-manifest.schema.json",
    "schemas/assistant-overlay.schema.json",
    "schemas/cron-manifest.schema.json",
    "schemas/cron-overlay.schema.json",
    "schemas/store-items-manifest.schema.json",
    "schemas/store-items-overlay.schema.json",
  ]);
});

test("describes every field", () => {
  const silent: string[] = [];
  const follow = (schema: JsonSchema, path: string): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!field["description"]) silent.push(`${path}${name}`);
      for (const inside of [field, ...(field.anyOf ?? [])]) follow(inside, `${path}${name}.`);
    }
  };
  for (const schema of Object.values(manifestSchemas())) follow(schema, "");
  expect(silent).toEqual([]);
});

const manifest = (spec: string): unknown =>
  parse(`
apiVersion: agentserver/v1
kind: Deployment
metadata: { name: support-agent }
spec:
  source: github
  sourceConfig: { repoUrl: https://git.example.com/agents.git }
  sourceRevisionConfig: { repoRef: v1 }
  ${spec}
`);

const validManifests = [
  "secrets: { MODEL_KEY: '${secret:modelKey}' }",
  "secrets: { DATABASE: 'postgres://me:${env:PASSWORD}@db' }",
  "rollout: { timeout: 20m, onSecretChange: revise, triggers: [1, two] }",
  "rollout: { timeout: '${env:TIMEOUT}' }",
  "adopt: '${env:ADOPT}'",
  "protect: true",
];

test.each(validManifests)("accepts %s", (spec) => {
  const validate = compiled("schemas/deployment-manifest.schema.json");
  validate(manifest(spec));
  expect(validate.errors).toBeNull();
});

test.each([
  ["secrets: { MODEL_KEY: plain }", "/spec/secrets/MODEL_KEY"],
  ["rollout: { timeout: soon }", "/spec/rollout/timeout"],
  ["rollout: { wait: '${env:WAIT}' }", "/spec/rollout/wait"],
  ["adopt: perhaps", "/spec/adopt"],
  ["repoUrl: here", "/spec"],
])("rejects %s", (spec, place) => {
  const validate = compiled("schemas/deployment-manifest.schema.json");
  expect(validate(manifest(spec))).toBe(false);
  expect(validate.errors!.map(({ instancePath }) => instancePath)).toContain(place);
});

test("accepts an overlay that contains only changed fields, and null for removed fields", () => {
  const validate = compiled("schemas/deployment-overlay.schema.json");
  const overlay = (spec: object) => ({
    apiVersion: "agentserver/v1",
    kind: "Deployment",
    metadata: { name: "support-agent" },
    spec,
  });
  validate(overlay({ sourceRevisionConfig: { repoRef: "v2" }, secrets: { OLD: null }, rollout: null }));
  expect(validate.errors).toBeNull();
  expect(validate(overlay({ sourceRevisionConfig: { repo_ref: "v2" } }))).toBe(false);
});

test.each([
  ["cron", "kind: Cron", "spec: { schedule: '0 * * * *', enabled: false, webhook: null }", true],
  ["cron", "kind: Cron", "spec: { shedule: '0 * * * *' }", false],
  ["assistant", "kind: Assistant", "spec: { context: null }", true],
  ["assistant", "kind: Cron", "spec: {}", false],
  ["store-items", "kind: StoreItems", "spec: { items: { a: { b: 1 } } }", true],
])("validates an overlay against the %s schema, with %s and %s: %p", (name, kind, spec, isValid) => {
  const overlay: unknown = parse(`
apiVersion: agentserver/v1
${kind}
metadata: { name: report }
${spec}
`);
  expect(compiled(`schemas/${name}-overlay.schema.json`)(overlay)).toBe(isValid);
});
