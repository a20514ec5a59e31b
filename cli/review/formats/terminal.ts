import type { ReviewReport } from "../report";
import { oneLine } from "./harmless";
import type { Block, Line } from "./line";
import {
  isResourceReportable,
  resourceBlocks,
  resourceHappening,
  resourcesHeading,
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

/** Maximum length of untrusted text in a line, in characters. */
const longestText = 500;

/** Formats the report for a terminal. */
export function terminalReport(report: ReviewReport): string {
  const { stack, project, failures, preview, promotions = [], policies = [] } = report;
  const place =
    stack === undefined ? "" : `${safe(stack)}${project === undefined ? "" : ` (${safe(project)})`}: `;
  const notAsked = notAskedLine(report);
  const sections = [
    [`${place}${summaryOf(report)}`],
    ...preview.errors.map(({ resource, message }) => [
      `The preview failed: ${resource === undefined ? "" : `${safe(resource)}: `}${safe(message)}`,
    ]),
    ...report.deployments
      .filter(isReportable)
      .map((one) => [`${plain(titleOf(one))} ${describeAction(one)}`, ...indented(blocksOf(one))]),
    [resourcesHeading(report)],
    ...report.resources
      .filter(isResourceReportable)
      .map((one) => [
        `${plain(resourceTitle(one))} ${resourceHappening(one)}`,
        ...indented(resourceBlocks(one)),
      ]),
    promotions.length > 0 ? ["Promotions", ...promotions.map((one) => `  ${safe(one)}`)] : [],
    policies.length > 0 ? ["Policies", ...policies.map(policyLine)] : [policiesLine(report)],
    [notAsked && plain(notAsked)],
    [othersLine(report)],
    failures.length > 0
      ? [
          "This review fails:",
          ...failures.map(
            ({ resource, message }) =>
              `  ${resource === undefined ? "" : `${safe(resource)} `}${safe(message)}`,
          ),
        ]
      : [],
  ];
  const texts = sections.map((lines) => lines.filter((one) => one !== undefined).join("\n"));
  return `${texts.filter((text) => text !== "").join("\n\n")}\n`;
}

function indented(blocks: Block[]): string[] {
  return blocks.flatMap(({ title, lines }) => [
    `  ${plain(title)}`,
    ...lines.map((one) => `    ${plain(one)}`),
  ]);
}

function policyLine({
  level,
  policy,
  resource,
  message,
}: NonNullable<ReviewReport["policies"]>[number]): string {
  const place = resource === undefined ? "" : ` at ${safe(resource)}`;
  return `  ${level}: ${safe(policy)}${place}: ${safe(message)}`;
}

/** Formats a line as plain text. */
export function plain(line: Line): string {
  return line.map((span) => (typeof span === "string" ? span : safe(span.foreign))).join("");
}

function safe(text: string): string {
  return oneLine(text, longestText);
}
