import { type Fault, formatFault, formatPlace, inOrder } from "../../sdk/manifests/fault";
import { loadManifests, type ManifestPlaces, stacksOf, stacksWithOverlays } from "../../sdk/manifests/load";
import type { DeclaredResource } from "../../sdk/manifests/parse";
import { type ExternalValue, externalValues } from "../../sdk/manifests/resolve";
import { AgentServerError } from "../../provider/errors";
import { nearest } from "../../provider/text/nearest";
import { type CommandProcess, exitCodes } from "../command-process";
import { printableJson } from "../printable";

/** Options of `agentserver validate`. */
export interface ValidateOptions {
  /** Stacks to check for; none: the manifests alone, and for every stack that has overlays. */
  stack: string[];
  /** Folder of the overlays. */
  overlays?: string;
  allowEmpty: boolean;
  format: "text" | "json";
}

/** Exit code for manifests with faults. */
const faulty = 2;

/** Prints what is wrong with the manifests in a folder; resolves with the exit code. */
export async function validateManifests(
  { cwd, stdout, stderr }: CommandProcess,
  folder: string,
  options: ValidateOptions,
): Promise<number> {
  const places: ManifestPlaces = { ...options, root: cwd, manifests: folder, stack: undefined };
  const checks = stacksToCheck(places, options).map((stack) => loadManifests({ ...places, stack }));
  const faults = inOrder(checks.flatMap((check) => check.faults));
  const names = new Set(checks.flatMap(({ deployments }) => deployments.map(({ name }) => name)));
  const reads = readsOf(checks.flatMap(({ deployments, others }) => [...deployments, ...others]));
  if (options.format === "json") await stdout.write(asJson([...names], faults, reads));
  else {
    await stdout.write(faults.map((fault) => `${formatFault(fault)}\n`).join(""));
    await stderr.write(reads.map((one) => `agentserver: ${readText(one)}\n`).join(""));
    await stderr.write(`agentserver: ${summary(names.size, faults)}\n`);
  }
  return faults.length > 0 ? faulty : exitCodes.success;
}

function stacksToCheck(places: ManifestPlaces, { stack, overlays }: ValidateOptions): (string | undefined)[] {
  if (overlays === undefined) for (const name of stack) refuseUnknownStack(places, name);
  if (stack.length > 0) return stack;
  return overlays === undefined ? [undefined, ...stacksWithOverlays(places)] : [undefined];
}

/** A slip of the pen must not look like a stack without overlays. */
function refuseUnknownStack(places: ManifestPlaces, name: string): void {
  const known = stacksOf(places);
  if (known.includes(name)) return;
  const meant = nearest(name, known);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const list =
    known.length > 0
      ? `There are ${known.join(", ")}.`
      : "There are neither overlays nor settings of any stack.";
  throw new AgentServerError(
    "bad_configuration",
    `No stack "${name}" was found: ${places.manifests} has no folder overlays/${name}, and there is no Pulumi.${name}.yaml.${hint} ${list} Without --stack, the manifests are checked for all stacks.`,
  );
}

/** A value from outside the manifests, and every place that reads it. */
interface Read extends Pick<ExternalValue, "kind" | "name"> {
  places: string[];
}

function readsOf(resources: readonly DeclaredResource[]): Read[] {
  const reads = new Map<string, Read>();
  for (const { kind, name, place } of resources.flatMap(externalValues)) {
    const read = reads.get(`${kind} ${name}`) ?? { kind, name, places: [] };
    const shown = formatPlace(place);
    if (!read.places.includes(shown)) read.places.push(shown);
    reads.set(`${kind} ${name}`, read);
  }
  return [...reads.values()];
}

function readText({ kind, name, places }: Read): string {
  const value = {
    env: `environment variable ${name}`,
    secret: `configuration value ${name}`,
    "connection key": `agent server key ${name}`,
  }[kind];
  return `reads the ${value} at ${places.join(", ")}`;
}

function asJson(deployments: string[], faults: Fault[], reads: Read[]): string {
  const isValid = faults.length === 0;
  const report = { valid: isValid, deployments: isValid ? deployments : [], faults, reads };
  return `${printableJson(JSON.stringify(report, undefined, 2))}\n`;
}

function summary(deployments: number, { length: faults }: Fault[]): string {
  if (faults > 0) return `${faults} ${faults === 1 ? "fault" : "faults"}`;
  return deployments === 1 ? "1 deployment is valid" : `${deployments} deployments are valid`;
}
