import { readFile, writeFile } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import { AgentServerError, asError } from "../../provider/errors";
import type { CommandProcess } from "../command-process";
import type { ConnectionFlags } from "../connection";
import { type Access, accessFrom } from "./access";
import { askFacts } from "./facts/ask";
import type { Facts } from "./facts/facts";
import { formatReport, type FormatName } from "./formats";
import { exitCodeFor, type GateName } from "./gates";
import type { Preview } from "./preview/preview";
import { readPreview } from "./preview/read";
import { reviewReport, type ReviewReport } from "./report";
import { review } from "./review";
import { runPreview } from "./run-preview";

/** Options of `agentserver review`. */
export interface ReviewCommandOptions extends ConnectionFlags {
  cwd?: string;
  policyPack: string[];
  policyPackConfig: string[];
  refresh: boolean;
  offline: boolean;
  failOn: GateName[];
  maxRollouts?: number;
  approveReplace: string[];
  format?: FormatName;
  output?: string;
}

/** Time limit for requests to the control plane and the agent servers, in milliseconds. */
const askingMs = 20_000;

/** Reads or runs a preview, writes the report to the requested target, and resolves with the exit code. */
export async function showReview(
  surroundings: CommandProcess,
  file: string | undefined,
  options: ReviewCommandOptions,
  toolVersion: string,
): Promise<number> {
  const here = { ...surroundings, cwd: resolve(surroundings.cwd, options.cwd ?? "") };
  const { access, redact } = await accessFrom(here, options);
  try {
    const report =
      (await reportIn(surroundings, file, options)) ??
      (await newReport(surroundings, here.cwd, file, options, access, redact));
    const format = options.format ?? (surroundings.stdout.isTTY && !options.output ? "terminal" : "markdown");
    const content = formatReport(format, report, toolVersion);
    if (options.output === undefined) await surroundings.stdout.write(content);
    else await writeFile(resolve(surroundings.cwd, options.output), content);
    return exitCodeFor(report);
  } catch (thrown) {
    const error = asError(thrown);
    error.message = redact(error.message);
    throw error;
  }
}

/**
 * Returns the report in the file; `undefined` if the file is not a report. Rejects options that would change the result
 * of a report.
 */
async function reportIn(
  { cwd }: CommandProcess,
  file: string | undefined,
  { failOn, maxRollouts, approveReplace }: ReviewCommandOptions,
): Promise<ReviewReport | undefined> {
  if (file === undefined || file === "-") return undefined;
  const report = await writtenReport(resolve(cwd, file));
  const isToBeJudged = failOn.length > 0 || maxRollouts !== undefined || approveReplace.length > 0;
  if (report && isToBeJudged)
    throw new AgentServerError(
      "bad_configuration",
      `${file} is a report, and its result cannot be changed. Use --fail-on, --max-rollouts, and --approve-replace when you review the preview itself.`,
    );
  return report;
}

async function writtenReport(file: string): Promise<ReviewReport | undefined> {
  try {
    return reviewReport.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

async function newReport(
  surroundings: CommandProcess,
  projectFolder: string,
  file: string | undefined,
  options: ReviewCommandOptions,
  access: Access,
  redact: (text: string) => string,
): Promise<ReviewReport> {
  const preview = await previewFrom(surroundings, projectFolder, file, options);
  const gates = {
    failOn: options.failOn,
    maxRollouts: options.maxRollouts,
    approvedReplacements: options.approveReplace,
  };
  const facts = await factsFrom(preview, access, surroundings);
  return review(preview, { facts, gates, folder: folderBelow(surroundings.cwd, projectFolder), redact });
}

/** Returns the relative path to a folder, or `undefined` if it is not inside `from`. */
function folderBelow(from: string, folder: string): string | undefined {
  const steps = relative(from, folder).split(sep);
  return steps[0] === ".." || isAbsolute(steps.join(sep)) ? undefined : steps.join("/");
}

async function previewFrom(
  { cwd, env, signal }: CommandProcess,
  projectFolder: string,
  file: string | undefined,
  { stack, policyPack, policyPackConfig, refresh }: ReviewCommandOptions,
): Promise<Preview> {
  if (file === "-") return readPreview(await text(process.stdin));
  if (file !== undefined) return readPreview(await contentOf(resolve(cwd, file)));
  if (stack === undefined)
    throw new AgentServerError(
      "bad_configuration",
      "There is nothing to review: specify a file with the output of `pulumi preview --json`, `-` for standard input, or a stack with --stack.",
    );
  const inFull = (path: string) => resolve(cwd, path);
  const policies = { policyPacks: policyPack.map(inFull), policyPackConfigs: policyPackConfig.map(inFull) };
  return runPreview({ stack, cwd: projectFolder, ...policies, refresh, env, signal });
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AgentServerError("bad_configuration", `The preview ${file} cannot be read (${code}).`);
  }
}

async function factsFrom(preview: Preview, access: Access, { signal }: CommandProcess): Promise<Facts> {
  if ("unknown" in access) return access;
  return askFacts(preview.resources, { session: access, signal, boundMs: askingMs });
}
