import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { DialectName } from "../../../../wire";
import { fc } from "../../../properties";
import { canary } from "../../../provider/world";

/** Source of a deployment. */
type Source = "github" | "external_docker" | "internal_source";

/** Values of variables or secrets, keyed by name. The program does not manage a map that is `undefined`. */
type Values = Partial<Record<string, string>>;

/** Everything that a program declares about its deployment. */
export interface Declaration {
  source: Source;
  /** Name of the deployment, or of the environment of its agent. */
  identity: "one" | "two";
  /** True if the deployment is declared with an agent and its environment instead of a name. */
  byAgent: boolean;
  /** True for the larger deployment type. */
  isDedicated: boolean;
  repository: "a" | "b";
  ref: "v1" | "v2";
  path: "langgraph.json" | "other.json";
  /** Tag of the image, or version of the folder. */
  version: "1" | "2";
  buildOnPush: boolean | undefined;
  cpu: number | undefined;
  memory: number | undefined;
  managesSpec: boolean;
  secrets: Values | undefined;
  variables: Values | undefined;
  references: Values | undefined;
  displayName: string | undefined;
  /** One tier for everything, or separate tiers for computing and the database. */
  tier: "S" | "M" | ["S" | "M", "S" | "M"] | undefined;
  trigger: string | undefined;
  onSecretChange: "keep" | "revise";
  adopt: "never" | "ifOwned" | "always";
}

/** Declaration at the beginning of a history, before any changes. */
export const firstDeclaration: Declaration = {
  source: "github",
  identity: "one",
  byAgent: false,
  isDedicated: true,
  repository: "a",
  ref: "v1",
  path: "langgraph.json",
  version: "1",
  buildOnPush: false,
  cpu: 1,
  memory: undefined,
  managesSpec: true,
  secrets: { KEY: "a" },
  variables: undefined,
  references: undefined,
  displayName: undefined,
  tier: undefined,
  trigger: undefined,
  onSecretChange: "keep",
  adopt: "ifOwned",
};

const values = (...names: string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.constantFrom("a", "b", "***", "hidden"), { maxKeys: 2 });

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });

const size = fc.constantFrom("S" as const, "M" as const);

const fields = {
  source: fc.constantFrom<Source[]>("github", "external_docker", "internal_source"),
  identity: fc.constantFrom("one" as const, "two" as const),
  isDedicated: fc.boolean(),
  repository: fc.constantFrom("a" as const, "b" as const),
  ref: fc.constantFrom("v1" as const, "v2" as const),
  path: fc.constantFrom("langgraph.json" as const, "other.json" as const),
  version: fc.constantFrom("1" as const, "2" as const),
  buildOnPush: optional(fc.boolean()),
  cpu: optional(fc.constantFrom(1, 2)),
  memory: optional(fc.constantFrom(1024, 4096)),
  managesSpec: fc.boolean(),
  secrets: optional(values("KEY", "OTHER")),
  variables: optional(values("LOG", "REGION")),
  references: optional(values("TOKEN", "CERTIFICATE")),
  displayName: optional(fc.constantFrom("Support", "Help")),
  tier: optional(fc.oneof(size, fc.tuple(size, size))),
  trigger: optional(fc.constantFrom("monday", "tuesday")),
  onSecretChange: fc.constantFrom("keep" as const, "revise" as const),
  adopt: fc.constantFrom("never" as const, "ifOwned" as const, "always" as const),
} satisfies Partial<Record<keyof Declaration, fc.Arbitrary<unknown>>>;

/** New values of some fields; `null` omits a field from the program. */
export type Change = { [Field in keyof Declaration]?: Declaration[Field] | null };

const changeOf = (...names: (keyof typeof fields)[]): fc.Arbitrary<Change> =>
  fc.record(Object.fromEntries(names.map((name) => [name, fields[name]]))) as fc.Arbitrary<Change>;

/** A change to a program before an `up`. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.oneof(changeOf("ref"), changeOf("path"), changeOf("version"), changeOf("trigger")),
  },
  { weight: 3, arbitrary: fc.oneof(changeOf("variables"), changeOf("secrets"), changeOf("references")) },
  {
    weight: 2,
    arbitrary: fc.oneof(changeOf("cpu", "memory"), changeOf("managesSpec"), changeOf("buildOnPush")),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(changeOf("tier", "ref", "version"), changeOf("tier"), changeOf("displayName")),
  },
  { weight: 1, arbitrary: fc.oneof(changeOf("identity"), changeOf("isDedicated"), changeOf("repository")) },
  { weight: 1, arbitrary: fc.oneof(changeOf("adopt"), changeOf("onSecretChange"), changeOf("source")) },
  { weight: 1, arbitrary: changeOf("ref", "version", "cpu", "secrets", "variables", "tier", "displayName") },
);

/** The first declaration of a program. */
export const start: fc.Arbitrary<Change> = fc
  .record({ ...fields, byAgent: fc.boolean() }, { requiredKeys: [] })
  .map(({ identity: _identity, ...others }) => others as Change);

/** Returns the declaration after a change, without the fields that its dialect or source does not support. */
export function changed(declaration: Declaration, change: Change, dialect: DialectName): Declaration {
  const entries = Object.entries(change).map(([field, value]) => [field, value ?? undefined]);
  return fitting({ ...declaration, ...(Object.fromEntries(entries) as Partial<Declaration>) }, dialect);
}

function fitting(declaration: Declaration, dialect: DialectName): Declaration {
  const isService = dialect === "langsmith";
  const source = isService ? declaration.source : "github";
  const isImage = source === "external_docker";
  const isRepository = source === "github";
  const tier = isService && !isImage ? declaration.tier : undefined;
  return {
    ...declaration,
    source,
    byAgent: isService && declaration.byAgent,
    buildOnPush: isRepository ? declaration.buildOnPush : undefined,
    managesSpec: isImage || (!isService && declaration.managesSpec),
    references: isImage ? declaration.references : undefined,
    displayName: declaration.displayName,
    // A serverless deployment has no separate database.
    tier: declaration.isDedicated || !Array.isArray(tier) ? tier : tier[0],
  };
}

/** Path of the folder for each version of the source. */
export type Folders = Record<Declaration["version"], string>;

/** Returns the inputs of a deployment. */
export function inputsOf(declared: Declaration, dialect: DialectName, folders: Folders): DeploymentInputs {
  const { source, identity, byAgent, secrets, variables, references, displayName, trigger } = declared;
  const environment = identity === "one" ? "production" : "staging";
  return {
    ...(byAgent ? { agent: { agentId: "support", environment } } : { name: identity }),
    source,
    sourceConfig: sourceConfigOf(declared, dialect),
    sourceRevisionConfig: revisionConfigOf(declared, folders),
    ...(secrets && { secrets: mapped(secrets, secretValue) }),
    ...(variables && { environmentVariables: mapped(variables, (value) => value) }),
    ...(references && { secretReferences: mapped(references, reference) }),
    ...(displayName !== undefined && { displayName }),
    ...tiersOf(declared),
    rollout: {
      ...(trigger !== undefined && { triggers: [trigger] }),
      ...(declared.onSecretChange === "revise" && { onSecretChange: "revise" as const }),
    },
    ...(declared.adopt !== "ifOwned" && { adopt: declared.adopt }),
  };
}

function sourceConfigOf(
  { source, isDedicated, repository, buildOnPush, cpu, memory, managesSpec }: Declaration,
  dialect: DialectName,
): DeploymentInputs["sourceConfig"] {
  const [large, small] = dialect === "langsmith" ? ["dedicated", "serverless"] : ["prod", "dev"];
  return {
    ...(source === "github" && { repoUrl: repositoryUrl(repository) }),
    ...(source !== "external_docker" && { deploymentType: isDedicated ? large : small }),
    ...(buildOnPush !== undefined && { buildOnPush }),
    ...(managesSpec && {
      resourceSpec: { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memoryMb: memory }) },
    }),
  };
}

function revisionConfigOf(
  { source, ref, path, version }: Declaration,
  folders: Folders,
): DeploymentInputs["sourceRevisionConfig"] {
  if (source === "external_docker") return { imageUri: imageOf(version) };
  if (source === "internal_source") return { folder: folders[version] };
  return { repoRef: ref, graphConfigPath: path };
}

function tiersOf({ tier, isDedicated }: Declaration): object {
  if (tier === undefined) return {};
  const named = (size: "S" | "M") => `${isDedicated ? "DEDICATED" : "SERVERLESS"}_${size}`;
  if (!Array.isArray(tier)) return { deploymentTier: named(tier) };
  return { computeTier: named(tier[0]), databaseTier: named(tier[1]) };
}

export function repositoryUrl(repository: string): string {
  return `https://git.example.com/${repository}.git`;
}

export function imageOf(version: string): string {
  return `registry.example.com/support:${version}`;
}

/** Returns the value of a secret in a request. Values that resemble masks must be kept unchanged. */
export function secretValue(value: string): string {
  return value === "***" || value === "hidden" ? value : `${canary}-${value}`;
}

const reference = (value: string) => ({ secretName: value, secretKey: "key" });

function mapped<To>(values: Values, to: (value: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value!)]));
}
