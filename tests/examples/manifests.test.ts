import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { engineVersion } from "../../tools/dev-engine/version";
import { repositoryRoot } from "../../tools/repository";
import { faultsOf, type Manifest } from "./manifest-faults";

const folder = join(repositoryRoot, "examples", "kubernetes");
const manifests = globSync(["*.yaml", "manifests/*.yaml"], { cwd: folder })
  .sort()
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8"), { strict: true }).map((document) => {
      expect([...document.errors, ...document.warnings]).toEqual([]);
      return { file, manifest: document.toJS() as Manifest };
    }),
  );

interface Stack {
  stack: string;
  serviceAccountName: string;
  resyncFrequencySeconds: number;
  workspaceTemplate: { spec: { local: { dir: string } } };
  programRef: { name: string };
  prerequisites: { name: string }[];
}

const ofKind = (wanted: string) =>
  manifests.map(({ manifest }) => manifest).filter(({ kind }) => kind === wanted);
const namesOf = (wanted: string) => ofKind(wanted).map(({ metadata: { name } }) => name);
const named = (wanted: string, name: string) =>
  ofKind(wanted).find(({ metadata }) => metadata.name === name)!;
const stackNamed = (name: string) => structuredClone(named("Stack", name)) as Manifest & { spec: Stack };

test.each(manifests.map(({ file, manifest }) => [file, manifest.kind, manifest] as const))(
  "validates %s (%s) against the published schema",
  (_, __, manifest) => expect(faultsOf(manifest)).toEqual([]),
);

test("contains all kinds and every GitOps tool", () => {
  const kinds = [...new Set(manifests.map(({ manifest }) => manifest.kind))];
  expect(kinds).toEqual(
    expect.arrayContaining(["Stack", "Program", "Application", "GitRepository", "Kustomization"]),
  );
});

test.each<[string, string, (spec: Stack) => unknown]>([
  [
    "an unknown field",
    '/spec must NOT have additional properties {"additionalProperty":"imag"}',
    (spec) => Object.assign(spec, { imag: "x" }),
  ],
  [
    "an unknown field deep inside the workspace",
    "/spec/workspaceTemplate/spec/local must NOT have additional properties",
    ({ workspaceTemplate }) => Object.assign(workspaceTemplate.spec.local, { dirr: "x" }),
  ],
  [
    "a wrong type",
    "/spec/resyncFrequencySeconds must be integer",
    (spec) => Object.assign(spec, { resyncFrequencySeconds: "1h" }),
  ],
  [
    "a missing field",
    "/spec must have required property 'stack'",
    (spec) => delete (spec as Partial<Stack>).stack,
  ],
])("reports %s in a Stack", (_, fault, change) => {
  const stack = stackNamed("agents-prod");
  change(stack.spec);
  expect(faultsOf(stack)).toEqual([expect.stringContaining(fault)]);
});

test("uses a workspace that the operator supports", () => {
  const { spec } = stackNamed("agents-prod").spec.workspaceTemplate;
  const metadata = { name: "agents-prod" };
  const workspace = { apiVersion: "auto.pulumi.com/v1alpha1", kind: "Workspace", metadata, spec };
  expect(faultsOf(workspace)).toEqual([]);
  expect(faultsOf({ ...workspace, spec: { ...spec, locale: {} } })).toHaveLength(1);
});

test("builds an image with the program's path and the tested engine", () => {
  const { spec } = stackNamed("agents-prod");
  const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
  expect(dockerfile).toContain(`\nWORKDIR ${spec.workspaceTemplate.spec.local.dir}\n`);
  expect(dockerfile).toContain(`\nFROM pulumi/pulumi:${engineVersion}-nonroot\n`);
});

test("refers only to existing objects", () => {
  const [agents, urls] = [stackNamed("agents-prod").spec, stackNamed("agent-urls").spec];
  expect(namesOf("ServiceAccount")).toEqual([agents.serviceAccountName]);
  expect(namesOf("ServiceAccount")).toEqual([urls.serviceAccountName]);
  expect(namesOf("Program")).toEqual([urls.programRef.name]);
  expect(urls.prerequisites).toMatchObject([{ name: "agents-prod" }]);
  expect(ofKind("Program")).toMatchObject([
    { program: { resources: { agents: { properties: { name: agents.stack } } } } },
  ]);

  const application = named("Application", "agents") as Manifest & { spec: { source: { path: string } } };
  const kustomization = named("Kustomization", "agents") as Manifest & {
    spec: { path: string; sourceRef: { kind: string; name: string } };
  };
  const paths = [application.spec.source.path, kustomization.spec.path];
  expect(paths.map((path) => basename(path))).toEqual(["manifests", "manifests"]);
  expect(namesOf(kustomization.spec.sourceRef.kind)).toEqual([kustomization.spec.sourceRef.name]);
});
