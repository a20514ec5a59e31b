/** Kind of resource that the web console can declare. */
type Kind = "Deployment" | "Assistant" | "Cron" | "StoreItem" | "Thread";

/** Object whose keys are inputs in the schema of the provider. The keys of all other objects are data. */
export class Inputs {
  constructor(readonly values: Record<string, unknown>) {}
}

/** Secret value that a program reads from the configuration of the stack. */
export class ConfigSecret {
  /** @param name name of the input or of the environment variable */
  constructor(readonly name: string) {}
}

/** Resource that a program declares. */
export interface Declaration {
  kind: Kind;
  /** Text from which the name of the resource is derived. */
  name: string;
  /** Name of the deployment that contains the resource; `undefined` for a deployment. */
  deployment: string | undefined;
  /** Inputs other than the deployment that contains the resource. Inputs that are `undefined` are omitted. */
  inputs: Inputs;
  /** Notes for the reader of the program. */
  notices: string[];
}

/** Connection to the control plane that contains the resource. */
export interface Connection {
  baseUrl: string;
  tenantId: string;
}

/** Languages that a program can be written in. */
export const languages = ["TypeScript", "Python", "YAML"] as const;

/** Language that a program can be written in. */
export type Language = (typeof languages)[number];

/** Returns the inputs that have a value. */
export function givenInputs({ values }: Inputs): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}

/** Returns the secrets of a declaration, with a configuration key for each, in order. */
export function secretKeys({ name, inputs }: Declaration): Map<ConfigSecret, string> {
  const keys = new Map<ConfigSecret, string>();
  const inUse = new Set<string>();
  for (const secret of secretsIn(inputs)) {
    const base = `${variableName(name)}_${secret.name.replaceAll(/\W/g, "_")}`;
    let key = base;
    for (let count = 2; inUse.has(key); count += 1) key = `${base}${count}`;
    inUse.add(key);
    keys.set(secret, key);
  }
  return keys;
}

/**
 * Returns the name of the resource. It contains only characters that are valid in URNs in programs of every language.
 */
export function resourceName(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{Mark}/gu, "");
  const words = plain.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
  return words.slice(0, 100) || "resource";
}

function variableName(name: string): string {
  const [first = "", ...rest] = resourceName(name)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const start = /^[A-Z0-9]+$/.test(first) ? first.toLowerCase() : first[0]!.toLowerCase() + first.slice(1);
  const joined = start + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `agent${joined}`;
}

function secretsIn(value: unknown): ConfigSecret[] {
  if (value instanceof ConfigSecret) return [value];
  if (value instanceof Inputs) return Object.values(value.values).flatMap(secretsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}
