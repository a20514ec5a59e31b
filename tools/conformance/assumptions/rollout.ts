import { type DeploymentAssumption, judge, notDetermined, type Outcome } from "../assumption";
import type { Subject } from "../deployments";
import { rowsOf, textAt, valueAt } from "../json";
import { rolledOutSources, secretName } from "../settings";
import { rule, table } from "./places";

const order = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
];
const others = ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "UNKNOWN"];
const statusPlace = { file: "wire/revision.ts", text: "CREATING" } as const;
const phasePlace = {
  file: "provider/control-plane/dialects/phase.ts",
  text: "export function revisionPhase",
} as const;

/** Runs a probe that depends on a successful rollout. */
async function ifDeployed(subject: Subject, probe: () => Promise<Outcome>): Promise<Outcome> {
  const last = subject.rollout?.statuses.at(-1);
  if (last === "DEPLOYED") return probe();
  const message = textAt(subject.rollout?.last.body, "status_message");
  return notDetermined(`the rollout ended with ${last ?? "no revision"}${message ? `: ${message}` : ""}`);
}

const assumptions: readonly DeploymentAssumption[] = [
  {
    id: "rollout.statuses",
    stage: "rolled out",
    sentence: `A revision has only the statuses ${[...order, ...others].join(", ")}.`,
    basis: "documented",
    places: [statusPlace, phasePlace],
    probe(_, { rollout }) {
      if (!rollout) return notDetermined("the deployment has no revision");
      const unknown = rollout.statuses.filter((status) => ![...order, ...others].includes(status));
      return judge(unknown.length === 0, rollout.statuses.join(" → "), [rollout.last.exchange]);
    },
  },
  {
    id: "rollout.order",
    stage: "rolled out",
    sentence: `Statuses occur in the order ${order.join(", ")}; a revision never returns to an earlier one.`,
    basis: "inferred",
    places: [statusPlace],
    probe(_, { rollout }) {
      if (!rollout) return notDetermined("the deployment has no revision");
      const positions = rollout.statuses.map((status) => order.indexOf(status)).filter((at) => at >= 0);
      const holds = positions.every((at, index) => index === 0 || at > positions[index - 1]!);
      return judge(holds, rollout.statuses.join(" → "), [rollout.last.exchange]);
    },
  },
  {
    id: "rollout.settled",
    stage: "rolled out",
    sentence: "A rollout ends with DEPLOYED, and the revision keeps this status.",
    basis: "documented",
    places: [phasePlace],
    probe: async ({ requests }, subject) =>
      ifDeployed(subject, async () => {
        const { body } = await requests.send(
          "GET",
          `${subject.path}/revisions/${subject.rollout!.revisionId}`,
        );
        return judge(textAt(body, "status") === "DEPLOYED", `status ${textAt(body, "status")}`);
      }),
  },
  {
    id: "rollout.active",
    stage: "rolled out",
    sentence: "active_revision_id is the revision that was deployed last.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [{ file: "wire/deployment.ts", text: "active_revision_id" }],
    probe: async ({ requests }, subject) =>
      ifDeployed(subject, async () => {
        const { body } = await requests.send("GET", subject.path);
        const active = textAt(body, "active_revision_id");
        return judge(active === subject.rollout!.revisionId, active ? "another revision" : "no revision");
      }),
  },
  {
    id: "rollout.url",
    stage: "rolled out",
    sentence: "The record of a deployed deployment has its URL in url or source_config.custom_url.",
    basis: "clients",
    places: [{ file: "wire/deployment.ts", text: "url:" }],
    probe: async ({ requests }, subject) =>
      ifDeployed(subject, async () => {
        const { body } = await requests.send("GET", subject.path);
        const url = textAt(body, "url") ?? textAt(body, "source_config.custom_url");
        return judge(url !== undefined, url ? "has a URL" : "has no URL");
      }),
  },
  {
    id: "rollout.commit",
    stage: "rolled out",
    sources: ["github"],
    sentence: "The revision reports the commit to which the branch or tag was resolved.",
    basis: "clients",
    dialects: ["langsmith"],
    places: [table("langsmith", "resolvesRefs: true"), rule("resolvesRefs: true")],
    probe: async ({ requests }, subject) =>
      ifDeployed(subject, async () => {
        const { body } = await requests.send(
          "GET",
          `${subject.path}/revisions/${subject.rollout!.revisionId}`,
        );
        const config = valueAt(body, "source_revision_config");
        const commits = [textAt(config, "repo_ref"), textAt(config, "repo_commit_sha")];
        const holds = commits.some((text) => text !== undefined && /^[0-9a-f]{40}$/.test(text));
        return judge(holds, holds ? "reports a commit" : "reports no commit");
      }),
  },
  {
    id: "rollout.secrets",
    stage: "rolled out",
    sentence: "The record reports the names and the values of secrets in plain text.",
    basis: "clients",
    places: [{ file: "wire/ownership-tag.ts", text: "export function environmentParts" }],
    async probe({ requests }, subject) {
      if (!subject.rollout) return notDetermined("the deployment has no revision");
      const { body } = await requests.send("GET", subject.path);
      const secrets = valueAt(body, "secrets");
      const found = (Array.isArray(secrets) ? (secrets as unknown[]) : []).find(
        (row) => textAt(row, "name") === secretName,
      );
      const value = textAt(found, "value");
      const observed =
        value === subject.secret ? "in plain text" : value === undefined ? "not reported" : "masked";
      return judge(value === subject.secret, observed);
    },
  },
  {
    id: "rollout.revisions",
    stage: "rolled out",
    sentence:
      "The list of revisions starts with the newest one, and a request for an unknown revision returns 404.",
    basis: "documented",
    places: [{ file: "provider/control-plane/client/revisions.ts", text: "/revisions" }],
    async probe({ requests }, { path, rollout }) {
      if (!rollout) return notDetermined("the deployment has no revision");
      const { body } = await requests.send("GET", `${path}/revisions?limit=1`);
      const unknown = await requests.send("GET", `${path}/revisions/00000000-0000-4000-8000-000000000000`);
      const holds = textAt(rowsOf(body)[0], "id") === rollout.revisionId && unknown.status === 404;
      return judge(holds, `status ${unknown.status} for an unknown revision`);
    },
  },
  {
    id: "rollout.logs",
    stage: "rolled out",
    sentence: "GET …/revisions/{id}/logs returns an object with the `logs` array.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [{ file: "provider/control-plane/client/revisions.ts", text: "/logs" }],
    async probe({ requests }, { path, rollout }) {
      if (!rollout) return notDetermined("the deployment has no revision");
      const { status, body } = await requests.send(
        "GET",
        `${path}/revisions/${rollout.revisionId}/logs?type=build&limit=2`,
      );
      const logs = valueAt(body, "logs");
      const isShort = Array.isArray(logs) && logs.length <= 2;
      return judge(status === 200 && isShort, `status ${status}`);
    },
  },
  {
    id: "rollout.log-type",
    stage: "rolled out",
    sentence: "A request for logs without `type` is rejected with 422.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [table("langsmith", "logTypeRequired: true")],
    async probe({ requests }, { path, rollout }) {
      if (!rollout) return notDetermined("the deployment has no revision");
      const { status } = await requests.send("GET", `${path}/revisions/${rollout.revisionId}/logs`);
      return judge(status === 422, `status ${status}`);
    },
  },
];

/** Assumptions about the first rollout, probed after it has finished. */
export const rolloutAssumptions: readonly DeploymentAssumption[] = assumptions.map((one) => ({
  sources: rolledOutSources,
  ...one,
}));
