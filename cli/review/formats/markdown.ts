import type { DeploymentReview, ResourceReview, ReviewReport } from "../report";
import type { Block, Line } from "./line";
import { codeBlock, codeElement, codeSpan, inComment } from "./markdown-escape";
import {
  isResourceReportable,
  resourceBlocks,
  resourceHappening,
  resourcesHeading,
  resourcesSummary,
  resourceTitle,
} from "./resource-words";
import {
  blocksOf,
  describeAction,
  notAskedLine,
  othersLine,
  policiesLine,
  summaryOf,
  titleOf,
  isReportable,
} from "./words";

/** Maximum length of a comment, in characters. Services accept 65,536. */
const markdownLimit = 64_000;

const room = { failures: 8_000, errors: 8_000, promotions: 8_000, policies: 12_000, deployment: 6_000 };
/** Space reserved for the lines about omitted parts, in characters. */
const reserve = 500;

/** Formats the report as a pull request comment. The same report always results in the same text. */
export function markdownReport(report: ReviewReport): string {
  const head = [
    `<!-- agentserver review ${inComment(`${report.project ?? ""}/${report.stack ?? ""}`)} -->`,
    "## Agent server deployments",
    `${placeOf(report)}**${summaryOf(report)}**`,
    ...failuresOf(report),
    ...errorsOf(report),
  ];
  const tail = [...promotionsOf(report), ...policiesOf(report), ...closingOf(report)];
  const used = [...head, ...tail].reduce((sum, part) => sum + part.length + 2, 0);
  const all = report.deployments.filter(isReportable);
  const inside = report.resources.filter(isResourceReportable);
  const { kept, left } = fit(
    [...all.map(deploymentDetails), ...inside.map(resourceDetails)].map((one) => `${one}\n`),
    markdownLimit - reserve - used,
  );
  const shown = kept.map((one) => one.trimEnd());
  const omitted =
    left > 0 ? [leftOut(all.slice(kept.length), inside.slice(Math.max(0, kept.length - all.length)))] : [];
  const heading = resourcesHeading(report);
  return `${[
    ...head,
    ...shown.slice(0, all.length),
    ...(heading === undefined ? [] : [`**${heading}**`]),
    ...shown.slice(all.length),
    ...omitted,
    ...tail,
  ].join("\n\n")}\n`;
}

function placeOf({ stack, project }: ReviewReport): string {
  if (stack === undefined) return "";
  return `Stack ${codeSpan(stack)}${project === undefined ? "" : ` of project ${codeSpan(project)}`}: `;
}

function leftOut(deployments: DeploymentReview[], resources: ResourceReview[]): string {
  const others = resourcesSummary(resources);
  const parts = [
    ...(deployments.length > 0 ? [summaryOf({ deployments })] : []),
    ...(others === undefined ? [] : [`other resources: ${others}`]),
  ];
  return `*Omitted for length: ${parts.join("; ")}. The JSON report contains all of them.*`;
}

function failuresOf({ failures }: ReviewReport): string[] {
  if (failures.length === 0) return [];
  const lines = failures.map(
    ({ resource, message }) =>
      `- ${resource === undefined ? "" : `${codeSpan(resource)} `}${codeSpanned(message)}`,
  );
  return [["**This review fails:**", "", ...fitted(lines, room.failures)].join("\n")];
}

/**
 * Formats the policy names in the message of a failure as code, because they are the only untrusted part of the
 * message.
 */
function codeSpanned(message: string): string {
  const [, words, policy] = /^(violates the policy )(.*)$/s.exec(message) ?? [];
  return policy === undefined ? message : `${words}${codeSpan(policy)}`;
}

function errorsOf({ preview }: ReviewReport): string[] {
  const blocks = preview.errors.map(
    ({ resource, message }) =>
      `${resource === undefined ? "" : `${codeSpan(resource)}:\n\n`}${codeBlock(message, 1_500)}`,
  );
  if (blocks.length === 0) return [];
  return ["**The preview failed:**", ...fitted(blocks, room.errors)];
}

function deploymentDetails(one: DeploymentReview): string {
  const isGrave = ["replace", "delete", "unclear"].includes(one.action) || one.mayReplace;
  return detailsOf(titleOf(one), describeAction(one), blocksOf(one), isGrave);
}

function resourceDetails(one: ResourceReview): string {
  return detailsOf(resourceTitle(one), resourceHappening(one), resourceBlocks(one), false);
}

function detailsOf(title: Line, actionText: string, blocks: Block[], isOpen: boolean): string {
  const name = title.map((span) => (typeof span === "string" ? span : codeElement(span.foreign))).join("");
  return [
    `<details${isOpen ? " open" : ""}><summary>${name} ${actionText}</summary>`,
    "",
    ...fitted(blocks.flatMap(bullets), room.deployment),
    "",
    "</details>",
  ].join("\n");
}

function bullets({ title, lines }: Block): string[] {
  return [`- ${spanned(title)}`, ...lines.map((one) => `  - ${spanned(one)}`)];
}

function spanned(line: Line): string {
  return line.map((span) => (typeof span === "string" ? span : codeSpan(span.foreign))).join("");
}

function promotionsOf({ promotions = [] }: ReviewReport): string[] {
  const lines = promotions.map((one) => `- ${codeSpan(one)}`);
  return lines.length > 0 ? [["**Promotions:**", "", ...fitted(lines, room.promotions)].join("\n")] : [];
}

function policiesOf(report: ReviewReport): string[] {
  const unknown = policiesLine(report);
  if (unknown) return [unknown];
  const results = (report.policies ?? []).map(
    ({ level, policy, resource, message }) =>
      `- ${level}: ${codeSpan(policy)}${resource === undefined ? "" : ` at ${codeSpan(resource)}`}: ${codeSpan(message)}`,
  );
  return results.length > 0 ? [["**Policies:**", "", ...fitted(results, room.policies)].join("\n")] : [];
}

function closingOf(report: ReviewReport): string[] {
  const others = othersLine(report);
  const notAsked = notAskedLine(report);
  return [...(notAsked ? [spanned(notAsked)] : []), ...(others ? [`${others}.`] : [])];
}

function fitted(pieces: string[], limit: number): string[] {
  const { kept, left } = fit(pieces, limit);
  return left > 0 ? [...kept, `- *and ${left} more*`] : kept;
}

/** Returns as many pieces as fit, starting with the first, and the number of omitted pieces. */
function fit(pieces: string[], room: number): { kept: string[]; left: number } {
  let used = 0;
  const end = pieces.findIndex((piece) => (used += piece.length + 1) > room);
  return end < 0 ? { kept: pieces, left: 0 } : { kept: pieces.slice(0, end), left: pieces.length - end };
}
