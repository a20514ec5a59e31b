import { readFileSync } from "node:fs";
import type { Assumption } from "../../../tools/conformance/assumption";
import { allAssumptions } from "../../../tools/conformance/assumptions";
import { changes } from "../../../tools/conformance/assumptions/changes";
import { positionOf } from "../../../tools/conformance/places";
import { jsonReport, markdownReport } from "../../../tools/conformance/report";
import type { RunResults } from "../../../tools/conformance/run";
import { type DialectName, dialectNames } from "../../../wire";
import { dialectRules } from "../../published/rules";
import { harness, runConformance } from "./harness";
import type { Mutation } from "./mutating-proxy";

/** Returns the assumptions with a verdict, as `id source`. */
function idsWith({ results }: RunResults, verdict: string): string[] {
  return results
    .filter(({ outcome }) => outcome.verdict === verdict)
    .map(({ assumption, source }) => [assumption.id, source].filter(Boolean).join(" "));
}

describe.each(dialectNames)("on a local control plane in the %s dialect", (dialect) => {
  test("confirms every assumption and deletes everything", async () => {
    const { options, names } = await harness(dialect);

    const run = await runConformance(options);

    const others = run.results.filter(({ outcome }) => outcome.verdict !== "confirmed");
    expect(others.map(({ assumption, source, outcome }) => [assumption.id, source, outcome])).toEqual([]);
    const applicable = options.assumptions.filter(({ dialects }) => dialects?.includes(dialect) ?? true);
    const probed = new Set(run.results.map(({ assumption }) => assumption.id));
    const missing = applicable.filter(
      (one) => !probed.has(one.id) && (one.stage === "access" || isForAnySource(one, options.sources)),
    );
    expect(missing).toEqual([]);
    expect([run.interrupted, run.left, await names()]).toEqual([undefined, [], []]);
  });

  test("confirms every assumption even if deleted deployments remain in lists", async () => {
    const { options } = await harness(dialect, { lingerSeconds: 3600 });

    const run = await runConformance(options);

    expect([idsWith(run, "refuted"), idsWith(run, "not determined"), run.left]).toEqual([[], [], []]);
  });

  test("has unique assumption IDs, and refers only to existing lines", () => {
    const applicable = allAssumptions(new Uint8Array(), "langgraph.json", true).filter(
      ({ dialects }) => dialects?.includes(dialect) ?? true,
    );
    const ids = applicable.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { places } of applicable)
      for (const place of places) expect(positionOf(place)).toMatch(/^[\w./-]+:\d+$/);
  });

  test("predicts the same revisions as the rules in tests/published", () => {
    const { fields, emptyRevisionConfigRevises } = dialectRules[dialect];
    const differing = changes.filter((change) => {
      const { [dialect]: predicted } = change.revisions;
      if (predicted === undefined) return false;
      const sent = change.body({ sent: sample, secret: "value" } as never, dialect);
      return predicted !== (revises(sent, fields, emptyRevisionConfigRevises) ? 1 : 0);
    });

    expect(differing.map(({ id }) => id)).toEqual([]);
  });
});

/** Request body that the server has already received. Some changes send part of it again. */
const sample = {
  source_revision_config: {
    repo_ref: "main",
    graph_config_path: "langgraph.json",
    langgraph_config_path: "langgraph.json",
    image_uri: "image",
  },
};

function isForAnySource(assumption: Assumption, sources: readonly string[]): boolean {
  const own = assumption.stage === "access" ? undefined : assumption.sources;
  return own === undefined || own.some((source) => sources.includes(source));
}

/** True if a PATCH creates a revision according to the rules. */
function revises(
  body: object,
  fields: (typeof dialectRules)[DialectName]["fields"],
  isEmptyEnough: boolean,
): boolean {
  return Object.entries(body as Record<string, unknown>).some(([group, value]) => {
    if (value === null) return false;
    if (Array.isArray(value)) return value.length > 0 && (fields[group]?.revises ?? false);
    if (typeof value !== "object") return fields[group]?.revises ?? false;
    if (group === "source_revision_config" && isEmptyEnough) return true;
    return Object.keys(value ?? {}).some((field) => fields[`${group}.${field}`]?.revises ?? false);
  });
}

const isRevision = (path: string) => /\/revisions\/[^/]+$/.test(path);
const isDeployment = (path: string) => /^[^?]*\/v2\/deployments\/[0-9a-f-]{36}(\?|$)/.test(path);
type Json = Record<string, unknown>;

/** Servers that violate an assumption, and the assumptions that must be refuted. */
const violations: [name: string, dialect: DialectName, refuted: string[], mutate: Mutation][] = [
  [
    "a revision has a status that is not documented",
    "interface",
    ["rollout.statuses github", "rollout.statuses external_docker"],
    ({ path }, answer) =>
      isRevision(path) && (answer.body as Json)["status"] === "DEPLOYING"
        ? { ...answer, body: { ...(answer.body as Json), status: "STARTING" } }
        : answer,
  ],
  [
    "secrets are masked",
    "langsmith",
    ["rollout.secrets github", "rollout.secrets external_docker", "rollout.secrets internal_source"],
    ({ method, path }, answer) => {
      if (method !== "GET" || !isDeployment(path) || answer.status !== 200) return answer;
      const secrets = (answer.body as { secrets: { name: string }[] }).secrets;
      const masked = secrets.map(({ name }) => ({ name, value: "***" }));
      return { ...answer, body: { ...(answer.body as Json), secrets: masked } };
    },
  ],
  [
    "a duplicate name returns 500",
    "interface",
    ["creation.duplicate-name github", "creation.duplicate-name external_docker"],
    ({ method }, answer) =>
      method === "POST" && answer.status === 409 ? { ...answer, status: 500 } : answer,
  ],
  [
    "a deleted deployment stays READY",
    "interface",
    ["deletion.gone github", "deletion.gone external_docker"],
    ({ method, path }, answer) =>
      method === "GET" && isDeployment(path) && answer.status === 404 && !path.includes("00000000")
        ? { status: 200, body: { id: path.split("/").at(-1), name: "x", status: "READY" } }
        : answer,
  ],
  [
    "a deletion returns 202",
    "langsmith",
    ["github", "external_docker", "internal_source", "internal_docker"].map(
      (one) => `deletion.answer ${one}`,
    ),
    ({ method, path }, answer) =>
      method === "DELETE" && path.includes("tracing") && answer.status === 204
        ? { status: 202, body: {} }
        : answer,
  ],
  [
    "the agent filter is ignored",
    "langsmith",
    ["identity.agent"],
    ({ method, path }, answer) =>
      method === "GET" && path.includes("agent_id=")
        ? { ...answer, body: { resources: [{ id: "a" }, { id: "b" }], offset: 2 } }
        : answer,
  ],
  [
    "the list of revisions starts with the oldest one",
    "interface",
    ["rollout.revisions github", "rollout.revisions external_docker"],
    ({ path }, answer) =>
      path.endsWith("/revisions?limit=1") ? { ...answer, body: { resources: [{ id: "oldest" }] } } : answer,
  ],
];

test.each(violations)(
  "refutes exactly the assumptions that a server violates: %s",
  async (_, dialect, refuted, mutate) => {
    const { options } = await harness(dialect, { mutate });

    const run = await runConformance(options);

    expect(idsWith(run, "refuted").filter((id) => !/^deletion\.(repeated|list)/.test(id))).toEqual(refuted);
  },
);

test("refutes the assumptions about changed secrets if a PATCH with secrets has no effect", async () => {
  const { rig, options } = await harness("langsmith", {
    // The proxy changes the status, so the run considers the PATCH rejected.
    mutate: ({ method, body }, answer) => {
      const isSecrets = method === "PATCH" && Array.isArray((body as Json | undefined)?.["secrets"]);
      return isSecrets ? { ...answer, status: 400 } : answer;
    },
  });
  expect(rig.faults).toEqual([]);

  const run = await runConformance(options);

  expect(idsWith(run, "refuted")).toEqual(
    ["github", "external_docker", "internal_source"].flatMap((source) => [
      `changes.secrets ${source}`,
      `changes.empty-secrets ${source}`,
    ]),
  );
  const refuted = run.results.find(({ assumption }) => assumption.id === "changes.secrets")!;
  const markdown = markdownReport(run, options.connection, new Date(0));
  const line =
    readFileSync("wire/dialects/langsmith.ts", "utf8").split("\n").indexOf("    secrets: true,") + 1;
  expect(line).toBeGreaterThan(0);
  expect(markdown).toContain(`wire/dialects/langsmith.ts:${line}`);
  expect(refuted.exchanges.map(({ method, status }) => [method, status])).toEqual([
    ["GET", 200],
    ["PATCH", 400],
    ["GET", 200],
  ]);
});

test("writes no secrets, signed URLs, or other users' data to the reports", async () => {
  const { rig, options } = await harness("langsmith");
  const other = {
    name: "billing-agent",
    source: "internal_docker",
    source_config: {},
    source_revision_config: {},
    secrets: [{ name: "OTHER", value: "other-secret" }],
  };
  expect((await rig.client.post("/v2/deployments", other)).status).toBe(201);

  const run = await runConformance(options);

  const time = new Date(0);
  for (const text of [
    jsonReport(run, options.connection, time),
    markdownReport(run, options.connection, time),
  ]) {
    for (const hidden of [rig.plane.apiKey, rig.plane.tenantId, "other-secret", "billing-agent"])
      expect(text).not.toContain(hidden);
    expect(text).not.toMatch(/conformance-[0-9a-f]{24}/);
    expect(text).not.toMatch(/upload[^\s"]*\?(?!<redacted>)/);
  }
  const { body } = await rig.client.get<{ resources: { name: string }[] }>("/v2/deployments");
  expect(body.resources.map(({ name }) => name)).toEqual(["billing-agent"]);
});
