import { type DeploymentRecord, type WireSecret, ownerSecretName } from "../../wire";
import { valueOf, type EnvironmentInputs, type Variables } from "./inputs/environment";
import { isTagged, isTagComplete, tagOf } from "./ownership/tag";

/** Environment of a deployment as reported in its record: secrets and plain variables, except the ownership tag. */
interface ReportedEnvironment {
  /** Values, keyed by name; `undefined` if the server reports only the name. */
  values: Map<string, string | undefined>;
  /**
   * True if the server returns the values of secrets unchanged; false if it masks them. This is determined from the
   * ownership tag, whose format is known; `undefined` if there is no tag.
   */
  isUnmasked: boolean | undefined;
}

/** Returns the environment that a record reports, or `undefined` if it reports none. */
export function reportedEnvironment(record: DeploymentRecord): ReportedEnvironment | undefined {
  const hasTag = isTagged(record);
  if (hasTag === undefined) return undefined;
  const others = record.secrets!.filter(({ name }) => name !== ownerSecretName);
  return {
    values: new Map(others.map(({ name, value }) => [name, value ?? undefined])),
    isUnmasked: hasTag ? isTagComplete(record) : undefined,
  };
}

/** Returns the variables of a record, or `undefined` if the record does not report all of their values. */
export function reportedVariables(record: DeploymentRecord): Variables | undefined {
  const reported = reportedEnvironment(record);
  if (!reported || reported.isUnmasked === false) return undefined;
  return completeEnvironment([...reported.values]);
}

/**
 * Returns the environment that a record reports, split into the inputs that manage it; empty if it reports none. For an
 * unreported value, the known value is used. Servers do not distinguish plain variables from secrets, so the known
 * inputs determine which variables are plain. A variable that is not in state is plain if the ownership tag lists it.
 * @param known the environment in state; `undefined` without a state
 */
export function mergeEnvironment(
  known: EnvironmentInputs | undefined,
  record: DeploymentRecord,
  ownerId: string,
): EnvironmentInputs {
  const reported = reportedEnvironment(record);
  if (!reported) return {};
  const before = { ...known?.secrets, ...known?.environmentVariables };
  const entries = [...reported.values].map(([name, value]) => {
    // If there is no tag, a client may have replaced the whole environment, so the reported values are treated as
    // unmasked.
    const seen = reported.isUnmasked === false ? undefined : value;
    return [name, seen ?? valueOf(before, name) ?? ""] as const;
  });
  const sent = sentVariables(known, record, ownerId);
  const isPlain = ([name]: readonly [string, string]) =>
    sent.has(name) && valueOf(known?.secrets, name) === undefined;
  const isSecret = (entry: readonly [string, string]) => !isPlain(entry);
  const managesPlain = known ? known.environmentVariables !== undefined : sent.size > 0;
  return {
    secrets: known && !known.secrets ? undefined : Object.fromEntries(entries.filter(isSecret)),
    environmentVariables: managesPlain ? Object.fromEntries(entries.filter(isPlain)) : undefined,
  };
}

/**
 * Returns the names of the plain variables that this resource has sent and still manages, according to its state and
 * its tag.
 */
function sentVariables(
  known: EnvironmentInputs | undefined,
  record: DeploymentRecord,
  ownerId: string,
): Set<string> {
  if (known && !known.environmentVariables) return new Set();
  const tag = tagOf(record);
  const inTag = tag?.ownerId === ownerId ? (tag.variables ?? []) : [];
  return new Set([...Object.keys(known?.environmentVariables ?? {}), ...inTag]);
}

/**
 * Returns all variables to send, because servers replace the whole list. These are the variables in the inputs and, if
 * the inputs do not manage `secrets`, the variables that others have added.
 * @param known the environment in state; `undefined` if there is no state
 * @param isUnset true if it is certain that no other client has set an environment that the server does not report yet
 * @returns `undefined` if the server does not report the values of all variables that must be kept
 */
export function wholeEnvironment(
  { secrets, environmentVariables: plain }: EnvironmentInputs,
  known: EnvironmentInputs | undefined,
  record: DeploymentRecord,
  { ownerId, isUnset }: { ownerId: string; isUnset: boolean },
): Variables | undefined {
  if (secrets) return { ...secrets, ...plain };
  const reported = reportedEnvironment(record);
  if (!reported) return isUnset ? { ...plain } : undefined;
  const sent = plain ? sentVariables(known, record, ownerId) : new Set<string>();
  const kept = [...reported.values].filter(([name]) => !sent.has(name) && valueOf(plain, name) === undefined);
  if (kept.length > 0 && !reported.isUnmasked) return undefined;
  const variables = completeEnvironment(kept);
  return variables && { ...variables, ...plain };
}

/** True if a record is known to report exactly these variables. */
export function hasVariables(record: DeploymentRecord, variables: Variables): boolean {
  const reported = reportedEnvironment(record);
  if (!reported?.isUnmasked) return false;
  const names = Object.keys(variables);
  return (
    reported.values.size === names.length &&
    names.every((name) => reported.values.get(name) === variables[name])
  );
}

function completeEnvironment(
  entries: readonly (readonly [string, string | undefined])[],
): Variables | undefined {
  if (entries.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(entries) as Variables;
}

/** Converts variables to the list of secrets in a request, and adds the ownership tag. */
export function environmentToWire(variables: Variables, tag: string): WireSecret[] {
  return Object.entries({ ...variables, [ownerSecretName]: tag }).map(([name, value]) => ({ name, value }));
}
