import type { Location, Log, ReportingDescriptor, Result } from "sarif";
import type { DeploymentReview, ResourceReview, ReviewAction, ReviewReport } from "../report";
import { oneLine } from "./harmless";
import type { Block, Line } from "./line";
import { isResourceReportable, resourceBlocks, resourceHappening, resourceTitle } from "./resource-words";
import { plain } from "./terminal";
import { blocksOf, describeAction, titleOf } from "./words";

type Level = "error" | "warning" | "note";

const rules = {
  "deployment-replaced": [
    "A deployment is replaced, and its threads, assistants, crons, and store are deleted",
    "warning",
  ],
  "deployment-deleted": [
    "A deployment is deleted, including its threads, assistants, crons, and store",
    "warning",
  ],
  "deployment-unclear": ["A deployment changes in a way that the preview does not show", "warning"],
  "deployment-drifted": ["A deployment was changed outside Pulumi", "warning"],
  "deployment-rolled-out": ["A deployment rolls out", "note"],
  "deployment-changed": ["A deployment changes without a rollout", "note"],
  "resource-deleted": ["A resource in a deployment is deleted or replaced", "note"],
  "resource-drifted": ["A resource in a deployment was changed outside Pulumi", "warning"],
  "resource-changed": ["A resource in a deployment is created or changed", "note"],
  "policy-violated": ["A policy is violated", "error"],
  "policy-reported": ["A policy reported or changed something", "note"],
  "preview-failed": ["The preview failed", "error"],
  "review-failed": ["The review does not pass", "error"],
} as const satisfies Record<string, readonly [string, Level]>;

type RuleId = keyof typeof rules;

const ruleIds = Object.keys(rules) as RuleId[];

const ruleOf: Partial<Record<ReviewAction, RuleId>> = {
  replace: "deployment-replaced",
  delete: "deployment-deleted",
  unclear: "deployment-unclear",
  "roll out": "deployment-rolled-out",
  create: "deployment-rolled-out",
  adopt: "deployment-rolled-out",
  wait: "deployment-changed",
  retain: "deployment-changed",
  patch: "deployment-changed",
  record: "deployment-changed",
};

const longestText = 1_000;

/** Returns the report as SARIF 2.1.0, with one result for each finding. */
export function sarifReport(report: ReviewReport, toolVersion: string): string {
  const log: Log = {
    version: "2.1.0",
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    runs: [
      {
        tool: {
          driver: {
            name: "agentserver review",
            version: toolVersion,
            informationUri: "https://www.npmjs.com/package/pulumi-agentserver",
            rules: ruleIds.map(descriptor),
          },
        },
        invocations: [{ executionSuccessful: !report.preview.failed }],
        results: resultsOf(report),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function descriptor(id: RuleId): ReportingDescriptor {
  const [text, level] = rules[id];
  return { id, shortDescription: { text }, defaultConfiguration: { level } };
}

function resultsOf(report: ReviewReport): Result[] {
  const all = [...report.resources, ...report.deployments];
  const byResource = new Map(all.map((one) => [one.resource, one] as const));
  const place = (resource?: string) =>
    locationOf(report, resource === undefined ? undefined : byResource.get(resource), resource);
  return [
    ...report.deployments.flatMap((deployment) => deploymentResults(report, deployment)),
    ...report.resources
      .filter(isResourceReportable)
      .map((one) => result(ruleOfResource(one), resourceText(one), locationOf(report, one, one.resource))),
    ...(report.policies ?? []).map(({ level, policy, resource, message }) =>
      result(
        level === "mandatory" ? "policy-violated" : "policy-reported",
        `${policy}: ${message}`,
        place(resource),
      ),
    ),
    ...report.preview.errors.map(({ resource, message }) =>
      result("preview-failed", message, place(resource)),
    ),
    ...report.failures
      .filter(({ gate }) => gate !== "preview")
      .map(({ resource, message }) =>
        result("review-failed", resource === undefined ? message : `${resource} ${message}`, place(resource)),
      ),
  ];
}

function ruleOfResource({ action, drift }: ResourceReview): RuleId {
  if (drift) return "resource-drifted";
  return action === "delete" || action === "replace" ? "resource-deleted" : "resource-changed";
}

function resourceText(one: ResourceReview): string {
  return textOf(resourceTitle(one), resourceHappening(one), resourceBlocks(one));
}

function textOf(title: Line, actionText: string, blocks: Block[]): string {
  const parts = blocks.map(({ title: heading, lines }) => [heading, ...lines].map(plain).join("; "));
  return [`${plain(title)} ${actionText}`, ...parts].join(". ");
}

function deploymentResults(report: ReviewReport, deployment: DeploymentReview): Result[] {
  const place = locationOf(report, deployment, deployment.resource);
  const rule = ruleOf[deployment.action];
  const text = textOf(titleOf(deployment), describeAction(deployment), blocksOf(deployment));
  return [
    ...(rule ? [result(deployment.mayReplace ? "deployment-replaced" : rule, text, place)] : []),
    ...(deployment.drift ? [result("deployment-drifted", rule ? driftText(deployment) : text, place)] : []),
  ];
}

function driftText(deployment: DeploymentReview): string {
  const [last] = blocksOf(deployment).slice(-1);
  return `${plain(titleOf(deployment))}: ${[last!.title, ...last!.lines].map(plain).join("; ")}`;
}

function result(ruleId: RuleId, text: string, location: Location): Result {
  const message = { text: messageText(text) };
  const [, level] = rules[ruleId];
  return { ruleId, ruleIndex: ruleIds.indexOf(ruleId), level, message, locations: [location] };
}

/** Escapes untrusted text, because viewers treat `[text](target)` as a link and `{0}` as a placeholder. */
function messageText(text: string): string {
  return oneLine(text, longestText)
    .replaceAll("](", "] (")
    .replace(/\{(?=\d+\})/g, "{ ");
}

/**
 * Returns the location of the resource in the program or, if it is unknown, the project file, because code scanners
 * require a file.
 */
function locationOf(
  { folder }: ReviewReport,
  found: Pick<ResourceReview, "urn" | "sourcePosition"> | undefined,
  resource: string | undefined,
): Location {
  const { file, line } = found?.sourcePosition ?? { file: "Pulumi.yaml", line: 1 };
  const path = folder === undefined ? file : `${folder}/${file}`;
  return {
    physicalLocation: {
      artifactLocation: {
        uri: path
          .replace(/\p{Cs}/gu, "\ufffd")
          .split("/")
          .map(encodeURIComponent)
          .join("/"),
      },
      region: { startLine: Math.max(1, line) },
    },
    ...(resource !== undefined && {
      logicalLocations: [
        {
          name: oneLine(resource, longestText),
          fullyQualifiedName: oneLine(found?.urn ?? resource, longestText),
          kind: "resource",
        },
      ],
    }),
  };
}
