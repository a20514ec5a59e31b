import Ajv from "ajv";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import type { ManifestFacts, Structural } from "../../tools/published-facts/custom-resource";
import { readJson } from "../json";
import { engineVersion } from "../../tools/engine/version";
import { repositoryRoot } from "../../tools/repository";

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

const folder = join(repositoryRoot, "examples", "kubernetes");
const files = globSync(["*.yaml", "manifests/*.yaml"], { cwd: folder }).sort();
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8"), { strict: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return { file, manifest: document.toJS() as Manifest };
  }),
);

const facts = globSync(join(__dirname, "facts", "*.json")).map((file) =>
  readJson<ManifestFacts>(readFileSync(file, "utf8")),
);

/** As a cluster would have it, but what it would silently leave out is a fault: a field that nobody knows. */
function closed({ properties, items, additionalProperties: values, ...schema }: Structural): Structural {
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, closed(part)])),
      ...(!isOpen && { additionalProperties: false }),
    }),
    ...(values !== undefined && {
      additionalProperties: values === true ? true : closed(values as Structural),
    }),
  };
}

const metadata = z.strictObject({ name: z.string(), namespace: z.string().optional() });
const subjects = z.array(
  z.strictObject({ kind: z.literal("ServiceAccount"), name: z.string(), namespace: z.string() }),
);
const roleRef = (kind: string) =>
  z.strictObject({
    apiGroup: z.literal("rbac.authorization.k8s.io"),
    kind: z.literal(kind),
    name: z.string(),
  });
const access = z.literal("rbac.authorization.k8s.io/v1");
/** What Kubernetes itself has, as far as it is used here. */
const ofKubernetes: Record<string, z.ZodType> = {
  ServiceAccount: z.strictObject({ apiVersion: z.literal("v1"), kind: z.string(), metadata }),
  ClusterRoleBinding: z.strictObject({
    ...{ apiVersion: access, kind: z.string(), metadata, subjects },
    roleRef: roleRef("ClusterRole"),
  }),
  RoleBinding: z.strictObject({
    ...{ apiVersion: access, kind: z.string(), metadata, subjects },
    roleRef: roleRef("Role"),
  }),
  Role: z.strictObject({
    ...{ apiVersion: access, kind: z.string(), metadata },
    rules: z.array(
      z.strictObject({
        apiGroups: z.array(z.string()),
        resources: z.array(z.string()),
        verbs: z.array(z.string()),
      }),
    ),
  }),
};

/** What is wrong with a manifest, by the schema that its project has published. */
function faultsOf(manifest: Manifest): string[] {
  const known = ofKubernetes[manifest.kind];
  if (known) return known.safeParse(manifest).error?.issues.map(({ message }) => message) ?? [];
  const found = facts.find(
    ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
  );
  if (!found) return [`nothing is published about ${manifest.apiVersion} ${manifest.kind}`];
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const { metadata: meta, ...rest } = closed(found.schema).properties as Record<string, Structural>;
  const validate = ajv.compile({
    ...closed({ ...found.schema, properties: rest }),
    properties: { ...rest, metadata: { ...meta, type: "object" } },
  });
  validate(manifest);
  const { error } = metadata.safeParse(manifest.metadata);
  return [
    ...(error?.issues.map(({ message }) => message) ?? []),
    ...(validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    ),
  ];
}

const ofKind = (wanted: string) =>
  manifests.map(({ manifest }) => manifest).filter(({ kind }) => kind === wanted);
const specOf = (wanted: string, name: string) =>
  ofKind(wanted).find(({ metadata: meta }) => meta.name === name)!.spec as Record<string, never>;

test.each(manifests.map(({ file, manifest }) => [file, manifest.kind, manifest] as const))(
  "%s: the %s is what its project has published",
  (_, __, manifest) => expect(faultsOf(manifest)).toEqual([]),
);

test("all kinds are there, and each way in front of the operator", () => {
  const kinds = [...new Set(manifests.map(({ manifest }) => manifest.kind))];
  expect(kinds).toEqual(
    expect.arrayContaining(["Stack", "Program", "Application", "GitRepository", "Kustomization"]),
  );
});

test.each<[string, string, (stack: Manifest) => unknown]>([
  ["an unknown field", "additional properties", (stack) => ((stack.spec as { imag?: string }).imag = "x")],
  [
    "an unknown field far inside of the workspace",
    "/spec/workspaceTemplate/spec/local",
    ({ spec }) =>
      ((spec as { workspaceTemplate: { spec: { local: object } } }).workspaceTemplate.spec.local = {
        dirr: "x",
      }),
  ],
  [
    "a wrong type",
    "must be integer",
    ({ spec }) => ((spec as { resyncFrequencySeconds: unknown }).resyncFrequencySeconds = "1h"),
  ],
  ["a missing field", "'stack'", ({ spec }) => delete (spec as { stack?: string }).stack],
])("%s of a Stack is a fault", (_, fault, change) => {
  const stack = structuredClone(ofKind("Stack")[0]!);
  change(stack);
  expect(faultsOf(stack).join("\n")).toContain(fault);
});

test("the workspace as the Stack wants it is one that the operator knows", () => {
  const { spec } = specOf("Stack", "agents-prod").workspaceTemplate as { spec: object };
  const meta = { name: "agents-prod" };
  const workspace = { apiVersion: "auto.pulumi.com/v1alpha1", kind: "Workspace", metadata: meta, spec };
  expect(faultsOf(workspace)).toEqual([]);
  expect(faultsOf({ ...workspace, spec: { ...spec, skip: true } })).toHaveLength(1);
});

test("what the manifests name is there", () => {
  const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
  const stack = specOf("Stack", "agents-prod") as unknown as {
    serviceAccountName: string;
    workspaceTemplate: { spec: { local: { dir: string } } };
  };
  expect(dockerfile).toContain(`\nWORKDIR ${stack.workspaceTemplate.spec.local.dir}\n`);
  expect(dockerfile).toContain(`\nFROM pulumi/pulumi:${engineVersion}-nonroot\n`);
  const accounts = ofKind("ServiceAccount").map(({ metadata: { name } }) => name);
  expect(accounts).toContain(stack.serviceAccountName);

  const { programRef, prerequisites } = specOf("Stack", "agent-urls") as unknown as {
    programRef: { name: string };
    prerequisites: { name: string }[];
  };
  expect(ofKind("Program").map(({ metadata: { name } }) => name)).toEqual([programRef.name]);
  expect(prerequisites.map(({ name }) => name)).toEqual(["agents-prod"]);
  const { program } = ofKind("Program")[0] as unknown as {
    program: { resources: { agents: { properties: { name: string } } } };
  };
  expect(program.resources.agents.properties.name).toBe((stack as unknown as { stack: string }).stack);

  const paths = [
    (specOf("Application", "agents").source as { path: string }).path,
    specOf("Kustomization", "agents").path as string,
  ];
  expect(paths.map((path) => basename(path))).toEqual(["manifests", "manifests"]);
  expect(ofKind("GitRepository").map(({ metadata: { name } }) => name)).toContain(
    (specOf("Kustomization", "agents").sourceRef as { name: string }).name,
  );
});
