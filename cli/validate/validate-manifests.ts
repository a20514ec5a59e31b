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
  /** Stacks to check. If empty, the manifests are checked alone and with the overlays of each stack. */
  stack: string[];
  /** Folder that contains the overlays. */
  overlays?: string;
  allowEmpty: boolean;
  format: "text" | "json";
}

/** Exit code for manifests with errors. */
const invalidExitCode = 2;

/** Prints the errors in the manifests in a folder, and resolves with the exit code. */
export async function validateManifests(
  { cwd, stdout, stderr }: CommandProcess,
  folder: string,
  options: ValidateOptions,
): Promise<number> {
  const places: ManifestPlaces = { ...options, root: cwd, manifests: folder, stack: undefined };
  const checks = stacksToCheck(places, options).map((stack) => loadManifests({ ...places, stack }));
  const faults = inOrder(checks.flatMap((check) => check.faults));
  const names = new Set(checks.flatMap(({ deployments }) => deployments.map(({ name }) => name)));
  const reads = collectReads(checks.flatMap(({ deployments, others }) => [...deployments, ...others]));
  if (options.format === "json") await stdout.write(toJson([...names], faults, reads));
  else {
    await stdout.write(faults.map((fault) => `${formatFault(fault)}\n`).join(""));
    await stderr.write(reads.map((one) => `agentserver: ${describeRead(one)}\n`).join(""));
    await stderr.write(`agentserver: ${summary(names.size, faults)}\n`);
  }
  return faults.length > 0 ? invalidExitCode : exitCodes.success;
}

function stacksToCheck(places: ManifestPlaces, { stack, overlays }: ValidateOptions): (string | undefined)[] {
  if (overlays === undefined) for (const name of stack) rejectUnknownStack(places, name);
  if (stack.length > 0) return stack;
  return overlays === undefined ? [undefined, ...stacksWithOverlays(places)] : [undefined];
}

/** Rejects unknown stacks, because a typo must not be mistaken for a stack without overlays. */
function rejectUnknownStack(places: ManifestPlaces, name: string): void {
  const known = stacksOf(places);
  if (known.includes(name)) return;
  const suggestion = nearest(name, known);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  const list =
    known.length > 0 ? `Available stacks: ${known.join(", ")}.` : "No stack has overlays or settings.";
  throw new AgentServerError(
    "bad_configuration",
    `No stack "${name}" was found: ${places.manifests} has no folder overlays/${name}, and there is no Pulumi.${name}.yaml.${hint} ${list} Without --stack, the manifests are checked for all stacks.`,
  );
}

/** Value from outside the manifests, with all positions at which manifests refer to it. */
interface Read extends Pick<ExternalValue, "kind" | "name"> {
  places: string[];
}

function collectReads(resources: readonly DeclaredResource[]): Read[] {
  const reads = new Map<string, Read>();
  for (const { kind, name, place } of resources.flatMap(externalValues)) {
    const read = reads.get(`${kind} ${name}`) ?? { kind, name, places: [] };
    const shown = formatPlace(place);
    if (!read.places.includes(shown)) read.places.push(shown);
    reads.set(`${kind} ${name}`, read);
  }
  return [...reads.values()];
}

function describeRead({ kind, name, places }: Read): string {
  const value = {
    env: `environment variable ${name}`,
    secret: `configuration value ${name}`,
    "connection key": `agent server key ${name}`,
  }[kind];
  return `reads the ${value} at ${places.join(", ")}`;
}

function toJson(deployments: string[], faults: Fault[], reads: Read[]): string {
  const isValid = faults.length === 0;
  const report = { valid: isValid, deployments: isValid ? deployments : [], faults, reads };
  return `${printableJson(JSON.stringify(report, undefined, 2))}\n`;
}

function summary(deployments: number, { length: faults }: Fault[]): string {
  if (faults > 0) return `${faults} ${faults === 1 ? "error" : "errors"}`;
  return deployments === 1 ? "1 deployment is valid" : `${deployments} deployments are valid`;
}
