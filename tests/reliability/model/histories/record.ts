import { isDeepStrictEqual } from "node:util";
import type { DialectName } from "../../../../wire";
import { imageOf, repositoryUrl, secretValue, type Declaration } from "./declaration";
import { noForeign, type Foreign } from "./foreign";
import type { Observed } from "./observed";

type Fields = Record<string, unknown>;

/** Returns the fields that the server must report for a declaration, keyed by path. */
function declaredFields(declared: Declaration, dialect: DialectName): Fields {
  const { source, isDedicated, buildOnPush, displayName, tier, cpu, memory, managesSpec } = declared;
  const [large, small] = dialect === "langsmith" ? ["dedicated", "serverless"] : ["prod", "dev"];
  const sizes = tier === undefined ? [] : Array.isArray(tier) ? tier : [tier, tier];
  const named = sizes.map((size) => `${isDedicated ? "DEDICATED" : "SERVERLESS"}_${size}`);
  return {
    source,
    ...(source !== "external_docker" && { deploymentType: isDedicated ? large : small }),
    ...(source === "github" && {
      repository: repositoryUrl(declared.repository),
      ref: declared.ref,
      path: declared.path,
    }),
    ...(source === "external_docker" && { image: imageOf(declared.version) }),
    ...(buildOnPush !== undefined && { buildOnPush }),
    ...(displayName !== undefined && { displayName }),
    ...(named.length > 0 && { compute: named[0], database: named[1] }),
    ...(managesSpec && cpu !== undefined && { "spec.cpu": cpu }),
    ...(managesSpec && memory !== undefined && { "spec.memory_mb": memory }),
    ...entries("env", declared.secrets, secretValue),
    ...entries("env", declared.variables, (value) => value),
    ...entries("reference", declared.references, (value) => value),
  };
}

function entries(
  group: string,
  values: Partial<Record<string, string>> | undefined,
  to: (value: string) => string,
) {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [`${group}.${name}`, to(value!)]),
  );
}

/** Returns the number of revisions that are required to get from one declaration to another. */
function revisionsBetween(from: Declaration, to: Declaration, dialect: DialectName): number {
  const [old, now] = [revisingPart(from, dialect), revisingPart(to, dialect)];
  const isSplit = (declared: Declaration) => Array.isArray(declared.tier);
  const resizes = isSplit(to) && !isDeepStrictEqual(from.tier, to.tier);
  return Number(!isDeepStrictEqual(old, now)) + Number(resizes);
}

/** Returns the part of a declaration whose changes require a new revision. */
function revisingPart(declared: Declaration, dialect: DialectName): unknown {
  const { source, repository, ref, path, version, trigger, secrets, variables, onSecretChange } = declared;
  const environment = dialect === "langsmith" || onSecretChange === "revise" ? { secrets, variables } : {};
  const { managesSpec, cpu, memory, references, tier } = declared;
  const settings = dialect === "langsmith" ? { managesSpec, cpu, memory, references } : {};
  const whole = Array.isArray(tier) ? undefined : tier;
  return { source, repository, ref, path, version, trigger, environment, settings, whole };
}

/**
 * Record of a resource: its declarations, and the changes that other actors made to its deployment. It is never read
 * from the state.
 */
export class ResourceRecord {
  /** Declarations that may be in the state of the stack. Empty if the stack does not have the resource. */
  synced: Declaration[] = [];
  /** Declaration of the last `up`, regardless of its result. */
  private attempted: Declaration | undefined;
  /** ID of the deployment on the server. */
  deployment: string | undefined;
  /** Deployments that the resource created but no longer owns. */
  readonly orphans = new Set<string>();
  /** Fields that other actors or an interrupted update may have changed since the stack last read them. */
  readonly tainted = new Set<string>();
  /** True if an interrupted update may already have created the revision that the preview shows again. */
  isInterrupted = false;
  /** True if the last `up` failed. */
  private hasFailed = false;
  /**
   * True if another actor created a revision after the last failed `up`. The next `up` accepts that revision if it has
   * the same source.
   */
  hasRevisionOfOthers = false;
  /** Entries that an `up` removed before it failed. If they exist again, another actor has added them. */
  private readonly removed = new Set<string>();
  /** Number of revisions that the resource may still create. */
  private budget = 0;
  readonly revisions = new Set<string>();
  /**
   * Changes by other actors for which the next `up` may create an additional revision: to the tiers, and to anything
   * else.
   */
  private readonly further = new Set<"tiers" | "others">();

  constructor(private readonly dialect: DialectName) {}

  get isKnown(): boolean {
    return this.synced.length > 0;
  }

  get hasUnmanagedSecrets(): boolean {
    return this.synced.some(({ secrets }) => secrets === undefined);
  }

  noteForeign({ fields, losesTag, revisions }: Foreign): void {
    if (this.hasFailed && revisions.length > 0) this.hasRevisionOfOthers = true;
    for (const field of fields) this.tainted.add(field);
    const tiers = fields.filter((field) => field === "compute" || field === "database");
    if (tiers.length > 0) this.further.add("tiers");
    if (fields.length > tiers.length || losesTag) this.allowAnother();
  }

  /** Adds the revisions that an `up` of this declaration may create. */
  allow(declared: Declaration): void {
    const from = this.attempted;
    const isCreate = this.deployment === undefined || from === undefined;
    const first = 1 + Number(declared.tier !== undefined);
    this.budget += isCreate ? first : revisionsBetween(from, declared, this.dialect);
    for (const synced of this.synced)
      if (!isCreate && this.budget === 0) this.budget += revisionsBetween(synced, declared, this.dialect);
    this.budget += this.further.size;
    this.further.clear();
    this.attempted = declared;
  }

  /**
   * Records revisions that the resource created.
   *
   * @returns the number of revisions in excess of the allowed number
   */
  spend(revisions: readonly string[]): number {
    for (const id of revisions) this.revisions.add(id);
    this.budget -= revisions.length;
    return Math.max(0, -this.budget);
  }

  allowAnother(): void {
    this.further.add("others");
  }

  /** Allows an `up` after a refresh to revert the changes of other actors. */
  allowCorrection(): void {
    this.noteForeign({ ...noForeign(), fields: [...this.tainted] });
  }

  allowReplacement(declared: Declaration): void {
    this.budget = Math.max(this.budget, 1 + Number(declared.tier !== undefined));
  }

  /** Records that the complete declaration is on the server and in the state. */
  settle(declared: Declaration): void {
    this.synced = [declared];
    this.removed.clear();
    this.isInterrupted = false;
    this.hasFailed = false;
    this.hasRevisionOfOthers = false;
    this.budget = 0;
  }

  /**
   * Records a failed `up` whose result was stored in the state.
   *
   * @param fresh fields that other actors changed in the meantime
   */
  fail(declared: Declaration, there: Observed | undefined, fresh: readonly string[]): void {
    const wanted = declaredFields(declared, this.dialect);
    for (const field of this.synced.flatMap((synced) => Object.keys(declaredFields(synced, this.dialect)))) {
      const isRemoved = there !== undefined && (this.isUnset(field, there) || fresh.includes(field));
      if (isRemoved && !Object.hasOwn(wanted, field)) this.removed.add(field);
    }
    for (const field of Object.keys(wanted)) this.removed.delete(field);
    this.synced.push(declared);
    this.hasFailed = true;
  }

  /** Records an update whose state was not stored. */
  interrupt(declared: Declaration): void {
    for (const synced of this.synced)
      for (const field of differingFields(
        declaredFields(synced, this.dialect),
        declaredFields(declared, this.dialect),
      ))
        this.tainted.add(field);
    this.isInterrupted = true;
    this.allowAnother();
  }

  forget(): void {
    if (this.deployment !== undefined) this.orphans.add(this.deployment);
    this.deployment = undefined;
    this.synced = [];
    this.tainted.clear();
    this.allowAnother();
  }

  /** Returns the differences between the declaration and the server that were not caused by another actor. */
  missing(declared: Declaration, there: Observed, fresh: readonly string[]): string[] {
    const wanted = declaredFields(declared, this.dialect);
    const known = this.synced.map((synced) => declaredFields(synced, this.dialect));
    const wrong = Object.keys(wanted).filter((field) => {
      if (isDeepStrictEqual(there.fields[field], wanted[field]) || fresh.includes(field)) return false;
      const isChange =
        known.length === 0 || known.some((one) => !isDeepStrictEqual(one[field], wanted[field]));
      return isChange || !this.tainted.has(field);
    });
    return [
      ...wrong.map((field) => `${field} is ${shown(there.fields[field])}, not ${shown(wanted[field])}`),
      ...this.left(declared, there, fresh).map((field) => `${field} is still ${shown(there.fields[field])}`),
    ];
  }

  /**
   * Returns the entries that must not exist but do: entries that the declaration removed, and entries that a managed
   * map never contained.
   */
  private left(declared: Declaration, there: Observed, fresh: readonly string[]): string[] {
    const wanted = declaredFields(declared, this.dialect);
    const known = this.synced.flatMap((synced) => Object.keys(declaredFields(synced, this.dialect)));
    const becameManaged = this.hasUnmanagedSecrets;
    return Object.keys(there.fields).filter((field) => {
      const [group, key] = field.split(".");
      if (key === undefined || Object.hasOwn(wanted, field) || fresh.includes(field)) return false;
      const wasDeclared = known.includes(field) && !this.removed.has(field);
      if (group === "env" && declared.secrets)
        return wasDeclared || becameManaged || !this.tainted.has(field);
      if (group === "env") return wasDeclared && declared.variables !== undefined && !this.wasSecret(key);
      if (group === "reference") return wasDeclared && declared.references !== undefined;
      if (group !== "spec" || !wasDeclared || !declared.managesSpec) return false;
      return !this.isUnset(field, there);
    });
  }

  /** True if an entry does not exist, or has the default value that the service sets. */
  private isUnset(field: string, { fields }: Observed): boolean {
    const filledIn = this.dialect === "langsmith" ? specDefaults[field] : undefined;
    return fields[field] === undefined || fields[field] === filledIn;
  }

  private wasSecret(name: string): boolean {
    return this.synced.some(({ secrets }) => secrets?.[name] !== undefined);
  }

  /** Returns the names of variables that this resource must not change. */
  foreignVariables(declared: Declaration, there: Observed): string[] {
    if ([declared, ...this.synced].some(({ secrets }) => secrets !== undefined)) return [];
    if (this.attempted?.secrets !== undefined) return [];
    const own = [declared, this.attempted, ...this.synced].flatMap((one) =>
      Object.keys(one?.variables ?? {}),
    );
    return Object.keys(there.fields)
      .filter((field) => field.startsWith("env."))
      .map((field) => field.slice("env.".length))
      .filter((name) => !own.includes(name));
  }
}

/** Default values that the service sets. */
const specDefaults: Fields = {
  "spec.min_scale": 1,
  "spec.max_scale": 1,
  "spec.cpu": 1,
  "spec.memory_mb": 2048,
};

export function differingFields(one: Fields, other: Fields): string[] {
  const all = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...all].filter((field) => !isDeepStrictEqual(one[field], other[field]));
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "absent";
}
