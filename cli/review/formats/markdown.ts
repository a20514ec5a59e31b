import type { DeploymentReview, ReviewReport } from "../report";
import { fit } from "./fit";
import type { Block, Line } from "./line";
import { codeBlock, codeElement, codeSpan, inComment } from "./markdown-escape";
import {
  blocksOf,
  happeningOf,
  notAskedLine,
  othersLine,
  policiesLine,
  summaryOf,
  titleOf,
  isWorthTelling,
} from "./words";

/** Longest comment; services take 65,536 characters. */
const markdownLimit = 64_000;

const room = { failures: 8_000, errors: 8_000, policies: 12_000, deployment: 6_000 };
/** Room for the lines about what was left out. */
const reserve = 500;

/** The report as a comment for a pull request; the same report gives the same text. */
export function markdownReport(report: ReviewReport): string {
  const head = [
    `<!-- agentserver review ${inComment(`${report.project ?? ""}/${report.stack ?? ""}`)} -->`,
    "## Agent server deployments",
    `${placeOf(report)}**${summaryOf(report)}**`,
    ...failuresOf(report),
    ...errorsOf(report),
  ];
  const tail = [...policiesOf(report), ...closingOf(report)];
  const used = [...head, ...tail].reduce((sum, part) => sum + part.length + 2, 0);
  const all = report.deployments.filter(isWorthTelling);
  const { kept, left } = fit(
    all.map((one) => `${detailsOf(one)}\n`),
    markdownLimit - reserve - used,
  );
  const omitted = left > 0 ? [leftOut({ deployments: all.slice(kept.length) })] : [];
  return `${[...head, ...kept.map((one) => one.trimEnd()), ...omitted, ...tail].join("\n\n")}\n`;
}

function placeOf({ stack, project }: ReviewReport): string {
  if (stack === undefined) return "";
  return `Stack ${codeSpan(stack)}${project === undefined ? "" : ` of project ${codeSpan(project)}`}: `;
}

function leftOut(rest: Pick<ReviewReport, "deployments">): string {
  return `*Left out for length: ${summaryOf(rest)}. The JSON report has them all.*`;
}

function failuresOf({ failures }: ReviewReport): string[] {
  if (failures.length === 0) return [];
  const lines = failures.map(
    ({ resource, message }) =>
      `- ${resource === undefined ? "" : `${codeSpan(resource)} `}${codeSpanned(message)}`,
  );
  return [["**This review fails:**", "", ...fitted(lines, room.failures)].join("\n")];
}

/** Only names of policies are foreign in the message of a failure. */
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

function detailsOf(deployment: DeploymentReview): string {
  const name = titleOf(deployment)
    .map((span) => (typeof span === "string" ? span : codeElement(span.foreign)))
    .join("");
  const isGrave = ["replace", "delete", "unclear"].includes(deployment.action) || deployment.mayReplace;
  const lines = blocksOf(deployment).flatMap(bullets);
  return [
    `<details${isGrave ? " open" : ""}><summary>${name} ${happeningOf(deployment)}</summary>`,
    "",
    ...fitted(lines, room.deployment),
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
