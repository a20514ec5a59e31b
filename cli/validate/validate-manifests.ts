import { type Fault, formatFault, inOrder } from "../../sdk/manifests/fault";
import { loadManifests, type ManifestPlaces, stacksOf, stacksWithOverlays } from "../../sdk/manifests/load";
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
  if (options.format === "json") await stdout.write(asJson([...names], faults));
  else {
    await stdout.write(faults.map((fault) => `${formatFault(fault)}\n`).join(""));
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

function asJson(deployments: string[], faults: Fault[]): string {
  const report = { valid: faults.length === 0, deployments: faults.length > 0 ? [] : deployments, faults };
  return `${printableJson(JSON.stringify(report, undefined, 2))}\n`;
}

function summary(deployments: number, { length: faults }: Fault[]): string {
  if (faults > 0) return `${faults} ${faults === 1 ? "fault" : "faults"}`;
  return deployments === 1 ? "1 deployment is valid" : `${deployments} deployments are valid`;
}
