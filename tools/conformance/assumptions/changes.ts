import type { DialectName } from "../../../wire";
import { type DeploymentAssumption, judge, notDetermined, type Place, type Probe } from "../assumption";
import type { Subject } from "../deployments";
import { rowsOf, textAt, valueAt } from "../json";
import { rolledOutSources, secretName, type SourceName } from "../settings";
import { rule, table } from "./places";

/** PATCH request for which the provider predicts the number of created revisions. */
export interface Change {
  id: string;
  /** Phrase that completes the sentence "A PATCH with …". */
  what: string;
  /** Number of revisions per dialect. A dialect that is not listed does not have the field. */
  revisions: Partial<Record<DialectName, 0 | 1>>;
  sources?: readonly SourceName[];
  basis: DeploymentAssumption["basis"];
  places: readonly [Place, ...Place[]];
  body(subject: Subject, dialect: DialectName): object;
}

const revises = table("langsmith", "revises: {");
const revisesInterface = table("interface", "revises: {");

/** All changes, in the order in which they are sent. */
export const changes: readonly Change[] = [
  {
    id: "display-name",
    what: "display_name",
    revisions: { interface: 0, langsmith: 0 },
    basis: "documented",
    places: [rule("display_name: setting"), revises],
    body: () => ({ display_name: "Conformance" }),
  },
  {
    id: "build-on-push",
    what: "the current value of source_config.build_on_push",
    revisions: { interface: 0, langsmith: 0 },
    sources: ["github"],
    basis: "documented",
    places: [rule('"source_config.build_on_push"'), revises, revisesInterface],
    body: () => ({ source_config: { build_on_push: false } }),
  },
  {
    id: "empty-source-config",
    what: "an empty source_config",
    revisions: { interface: 0, langsmith: 0 },
    basis: "inferred",
    places: [revises, revisesInterface],
    body: () => ({ source_config: {} }),
  },
  {
    id: "null-revision-config",
    what: "null as source_revision_config",
    revisions: { interface: 0, langsmith: 0 },
    basis: "inferred",
    places: [revises, revisesInterface],
    body: () => ({ source_revision_config: null }),
  },
  {
    id: "empty-revision-config",
    what: "an empty source_revision_config",
    revisions: { interface: 1, langsmith: 0 },
    basis: "documented",
    places: [table("langsmith", 'sourceRevisionConfig: "given"'), revisesInterface],
    body: () => ({ source_revision_config: {} }),
  },
  {
    id: "secrets",
    what: "the current secrets",
    revisions: { interface: 0, langsmith: 1 },
    basis: "documented",
    places: [table("langsmith", "secrets: true"), revisesInterface],
    body: ({ secret }) => ({ secrets: [{ name: secretName, value: secret }] }),
  },
  {
    id: "null-secrets",
    what: "null as secrets",
    revisions: { interface: 0, langsmith: 0 },
    basis: "clients",
    places: [{ file: "wire/dialects/revises.ts", text: "export function changesSecrets" }],
    body: () => ({ secrets: null }),
  },
  {
    id: "empty-secrets",
    what: "an empty list of secrets",
    revisions: { interface: 0, langsmith: 0 },
    basis: "clients",
    places: [table("langsmith", 'emptySecrets: "keep"'), table("interface", 'emptySecrets: "clear"')],
    body: () => ({ secrets: [] }),
  },
  {
    id: "repo-ref",
    what: "the current source_revision_config.repo_ref",
    revisions: { interface: 1, langsmith: 1 },
    sources: ["github"],
    basis: "documented",
    places: [rule('"source_revision_config.repo_ref"'), revises, revisesInterface],
    body: ({ sent }) => ({
      source_revision_config: { repo_ref: valueAt(sent, "source_revision_config.repo_ref") },
    }),
  },
  {
    id: "config-path",
    what: "the current path of the graph configuration",
    revisions: { interface: 1, langsmith: 1 },
    sources: ["github"],
    basis: "documented",
    places: [rule("[configuration]"), revises, revisesInterface],
    body({ sent }, dialect) {
      const field = dialect === "langsmith" ? "langgraph_config_path" : "graph_config_path";
      return { source_revision_config: { [field]: valueAt(sent, `source_revision_config.${field}`) } };
    },
  },
  {
    id: "image",
    what: "the current source_revision_config.image_uri",
    revisions: { interface: 1, langsmith: 1 },
    sources: ["external_docker"],
    basis: "documented",
    places: [rule('"source_revision_config.image_uri"'), revises, revisesInterface],
    body: ({ sent }) => ({
      source_revision_config: { image_uri: valueAt(sent, "source_revision_config.image_uri") },
    }),
  },
  {
    id: "resource-spec",
    what: "source_config.resource_spec",
    revisions: { interface: 0, langsmith: 1 },
    sources: ["external_docker"],
    basis: "documented",
    places: [rule('"source_config.resource_spec"'), revises, revisesInterface],
    body: () => ({ source_config: { resource_spec: {} } }),
  },
  ...(["install_command", "build_command"] as const).map((field): Change => ({
    id: field.replace("_", "-"),
    what: `source_config.${field}`,
    revisions: { langsmith: 1 },
    sources: ["github"],
    basis: "documented",
    places: [rule(`"source_config.${field}"`), revises],
    body: () => ({ source_config: { [field]: "true" } }),
  })),
  {
    id: "tracked-ref",
    what: "tracked_repo_ref",
    revisions: { langsmith: 0 },
    sources: ["github"],
    basis: "documented",
    places: [rule("tracked_repo_ref: setting"), revises],
    body: ({ sent }) => ({ tracked_repo_ref: valueAt(sent, "source_revision_config.repo_ref") }),
  },
];

async function revisionsOf({ requests }: Probe, { path }: Subject): Promise<(string | undefined)[]> {
  const { body } = await requests.send("GET", `${path}/revisions?limit=100`);
  return rowsOf(body).map((row) => textAt(row, "id"));
}

function secretNames(record: unknown): string[] {
  const secrets = valueAt(record, "secrets");
  return Array.isArray(secrets) ? (secrets as unknown[]).flatMap((row) => textAt(row, "name") ?? []) : [];
}

function assumptionsFor(change: Change, dialect: DialectName): DeploymentAssumption[] {
  const expected = change.revisions[dialect];
  if (expected === undefined) return [];
  return [
    {
      id: `changes.${change.id}`,
      stage: "changed",
      sentence: `A PATCH with ${change.what} creates ${expected === 0 ? "no revision" : "a revision"}.`,
      basis: change.basis,
      dialects: [dialect],
      sources: change.sources ?? rolledOutSources,
      places: change.places,
      async probe(probe, subject) {
        const before = await revisionsOf(probe, subject);
        const body = change.body(subject, dialect);
        const { status } = await probe.requests.send("PATCH", subject.path, { body });
        const after = await revisionsOf(probe, subject);
        const created = after.filter((id) => !before.includes(id)).length;
        return judge(status === 200 && created === expected, `status ${status}, ${created} new revisions`);
      },
    },
  ];
}

/** Assumptions about the effects of a PATCH, probed after the first rollout. */
export const changeAssumptions: readonly DeploymentAssumption[] = [
  ...(["interface", "langsmith"] as const).flatMap((dialect) =>
    changes.flatMap((change) => assumptionsFor(change, dialect)),
  ),
  {
    id: "changes.latest",
    stage: "changed",
    sources: ["github"],
    sentence:
      "The response to a PATCH that creates a revision is the record with the new latest_revision_id.",
    basis: "documented",
    places: [{ file: "provider/control-plane/client/deployments.ts", text: "patch(" }],
    async probe(probe, { path, sent }) {
      const repoRef = valueAt(sent, "source_revision_config.repo_ref");
      const { body } = await probe.requests.send("PATCH", path, {
        body: { source_revision_config: { repo_ref: repoRef } },
      });
      const latest = textAt(body, "latest_revision_id");
      const record = await probe.requests.send("GET", path);
      const holds = latest !== undefined && latest === textAt(record.body, "latest_revision_id");
      return judge(holds, holds ? "reports the new revision" : "does not report the new revision");
    },
  },
  ...(["name", "source", "source_config.deployment_type"] as const).map((field): DeploymentAssumption => ({
    id: `changes.fixed.${field}`,
    stage: "changed",
    sources: ["github"],
    sentence: `A PATCH that changes ${field} is rejected, or does not change it.`,
    basis: "inferred",
    places: [table("langsmith", "fixedSourceConfig:"), table("interface", "fixedSourceConfig:")],
    async probe({ requests }, { path, sent }) {
      const before = await requests.send("GET", path);
      const other =
        field === "name" ? `${String(sent["name"])}x` : field === "source" ? "external_docker" : "dev";
      const [group, key] = field.split(".") as [string, string?];
      const { status } = await requests.send("PATCH", path, {
        body: { [group]: key === undefined ? other : { [key]: other } },
      });
      const after = await requests.send("GET", path);
      const isKept = valueAt(before.body, field) === valueAt(after.body, field);
      return judge(isKept, `status ${status}, ${isKept ? "unchanged" : "changed"}`);
    },
  })),
  {
    id: "changes.partial-secrets",
    stage: "changed",
    sources: rolledOutSources,
    sentence:
      "A list of secrets in a PATCH replaces all secrets, so secrets that are not in the list are removed.",
    basis: "documented",
    places: [{ file: "wire/dialects/revises.ts", text: "export function changesSecrets" }],
    async probe({ requests }, { path }) {
      const secrets = [{ name: "CONFORMANCE_OTHER", value: "conformance" }];
      await requests.send("PATCH", path, { body: { secrets } });
      const names = secretNames((await requests.send("GET", path)).body);
      return judge(names.join() === "CONFORMANCE_OTHER", `secrets: ${names.join(", ") || "none"}`);
    },
  },
  ...(["interface", "langsmith"] as const).map((dialect): DeploymentAssumption => ({
    id: "changes.cleared-secrets",
    stage: "changed",
    sources: rolledOutSources,
    sentence:
      dialect === "interface"
        ? "An empty list of secrets in a PATCH removes all secrets."
        : "An empty list of secrets in a PATCH removes no secrets.",
    basis: dialect === "interface" ? "inferred" : "clients",
    dialects: [dialect],
    places: [table(dialect, "emptySecrets:")],
    async probe({ requests }, { path }) {
      const before = secretNames((await requests.send("GET", path)).body);
      await requests.send("PATCH", path, { body: { secrets: [] } });
      const after = secretNames((await requests.send("GET", path)).body);
      if (before.length === 0) return notDetermined("the deployment has no secrets");
      const expected = dialect === "interface" ? [] : before;
      return judge(after.join() === expected.join(), `secrets: ${after.join(", ") || "none"}`);
    },
  })),
  {
    id: "changes.redeploy",
    stage: "changed",
    sources: rolledOutSources,
    sentence: "POST …/redeploy of a revision returns 200 and creates a revision.",
    basis: "documented",
    dialects: ["langsmith"],
    places: [table("langsmith", "redeploys: true")],
    async probe(probe, subject) {
      if (subject.rollout?.statuses.at(-1) !== "DEPLOYED") return notDetermined("no revision was deployed");
      const before = await revisionsOf(probe, subject);
      const { status } = await probe.requests.send(
        "POST",
        `${subject.path}/revisions/${subject.rollout.revisionId}/redeploy`,
      );
      const created = (await revisionsOf(probe, subject)).filter((id) => !before.includes(id)).length;
      return judge(status === 200 && created === 1, `status ${status}, ${created} new revisions`);
    },
  },
];
