import type { Deployment } from "../../answers";
import { dialectTables, makesRevision } from "../../../../wire";
import { creationIn, start, stopAll } from "../client";

afterEach(stopAll);

/** Changes to a deployment, each with the dialects in which it creates a revision. */
const changes: [string, object, string[]][] = [
  ["an empty body", {}, []],
  ["groups that are null", { source_config: null, source_revision_config: null, secrets: null }, []],
  ["an empty revision source", { source_revision_config: {} }, ["interface"]],
  ["a revision source with only nulls", { source_revision_config: { repo_ref: null } }, ["interface"]],
  ["another ref", { source_revision_config: { repo_ref: "next" } }, ["interface", "langsmith"]],
  ["the same ref", { source_revision_config: { repo_ref: "main" } }, ["interface", "langsmith"]],
  ["secrets", { secrets: [{ name: "A", value: "two" }] }, ["langsmith"]],
  ["the same secrets", { secrets: [{ name: "A", value: "one" }] }, ["langsmith"]],
  ["no secrets", { secrets: [] }, []],
  ["a resource specification", { source_config: { resource_spec: { cpu: 2 } } }, ["langsmith"]],
  ["a custom URL", { source_config: { custom_url: "https://a.test" } }, []],
  ["build_on_push", { source_config: { build_on_push: true } }, []],
  ["a display name", { display_name: "Agent" }, []],
];

/** Changes that only the `langsmith` dialect supports. The value is true for changes that create a revision. */
const langsmithChanges: [string, object, boolean][] = [
  ["an install command", { source_config: { install_command: "npm ci" } }, true],
  ["a build command", { source_config: { build_command: "npm run build" } }, true],
  ["secret references", { secret_references: [{ name: "A", secret_name: "a", secret_key: "b" }] }, true],
  ["a deployment tier", { deployment_tier: "SERVERLESS_M" }, true],
  ["a tracked branch", { tracked_repo_ref: "next" }, false],
  ["another repository", { source_config: { repo_url: "https://other.test" } }, false],
];

const cases = [
  ...changes.flatMap(([what, change, revising]) =>
    (["interface", "langsmith"] as const).map(
      (dialect) => [dialect, what, change, revising.includes(dialect)] as const,
    ),
  ),
  ...langsmithChanges.map(([what, change, revises]) => ["langsmith", what, change, revises] as const),
];

test.each(cases)(
  "creates a revision if and only if the dialect requires it (%s): a PATCH with %s",
  async (dialect, _what, change, revises) => {
    expect(makesRevision(dialectTables[dialect], change)).toBe(revises);
    const { client } = await start({ dialect });
    const secrets = [{ name: "A", value: "one" }];
    const made = (await client.post<Deployment>("/v2/deployments", creationIn(dialect, "agent", { secrets })))
      .body;
    const patched = await client.patch<Deployment>(`/v2/deployments/${made.id}`, change);
    expect(patched.status).toBe(200);
    expect(patched.body.latest_revision_id !== made.latest_revision_id).toBe(revises);
  },
);

test("clears secrets for an empty list in the interface dialect, but not in langsmith", async () => {
  for (const [dialect, left] of [
    ["interface", 0],
    ["langsmith", 1],
  ] as const) {
    const { client } = await start({ dialect });
    const secrets = [{ name: "A", value: "one" }];
    const { id } = (
      await client.post<Deployment>("/v2/deployments", creationIn(dialect, "agent", { secrets }))
    ).body;
    expect(
      (await client.patch<Deployment>(`/v2/deployments/${id}`, { secrets: [] })).body.secrets,
    ).toHaveLength(left);
  }
});

test("clears a custom URL for null in the interface dialect, but not in langsmith", async () => {
  for (const [dialect, left] of [
    ["interface", null],
    ["langsmith", "https://a.test"],
  ] as const) {
    const { client } = await start({ dialect });
    const { id } = (await client.post<Deployment>("/v2/deployments", creationIn(dialect, "agent"))).body;
    await client.patch(`/v2/deployments/${id}`, { source_config: { custom_url: "https://a.test" } });
    const cleared = await client.patch<Deployment>(`/v2/deployments/${id}`, {
      source_config: { custom_url: null },
    });
    expect(cleared.body.source_config.custom_url).toBe(left);
  }
});
