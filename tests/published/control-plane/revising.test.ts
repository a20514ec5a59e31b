import { dialectNames, type DialectName } from "../../../wire";
import type { Deployment, Resources, Revision } from "../../emulator/answers";
import { start, stopAll } from "../../emulator/control-plane/client";
import { dialectRules, type FieldRule } from "../rules";
import { creations, deployments, Subject } from "./subject";

afterEach(stopAll);

/** New value for each field, which differs from the field's value in the deployments of these tests. */
const values: Record<string, unknown> = {
  name: "other",
  source: "internal_template",
  display_name: "Other",
  tracked_repo_ref: "other",
  revision_source: "github",
  route_through_gateway: true,
  deployment_tier: "DEDICATED_L",
  secrets: [{ name: "OTHER", value: "other" }],
  secret_references: [{ name: "OTHER", secret_name: "other", secret_key: "key" }],
  "source_config.integration_id": "11111111-1111-4111-8111-111111111111",
  "source_config.repo_url": "https://example.test/other.git",
  "source_config.deployment_type": "dev",
  "source_config.build_on_push": true,
  "source_config.custom_url": "https://other.example.test",
  "source_config.resource_spec": { min_scale: 2, max_scale: 3, cpu: 2, memory_mb: 4096 },
  "source_config.listener_id": "22222222-2222-4222-8222-222222222222",
  "source_config.listener_config": { k8s_namespace: "other" },
  "source_config.install_command": "npm ci",
  "source_config.build_command": "npm run build",
  "source_config.template_id": "other",
  "source_revision_config.repo_ref": "other",
  "source_revision_config.graph_config_path": "other.json",
  "source_revision_config.langgraph_config_path": "other.json",
  "source_revision_config.image_uri": "registry.example.test/agent:2",
  "source_revision_config.source_tarball_path": "archives/other.tar.gz",
};

/** Value that the server sets when a user clears a field. */
const serverFills: Record<string, unknown> = {
  "source_config.custom_url": expect.stringMatching(/^http:.*\/agents\//),
};

/** Creates a body that contains a single value. */
function bodyWith(path: string, value: unknown): object {
  const [group, field] = path.split(".") as [string, string?];
  return { [group]: field === undefined ? value : { [field]: value } };
}

describe.each(dialectNames)("in the %s dialect", (dialect) => {
  const { fields, emptyRevisionConfigRevises, sources } = dialectRules[dialect];
  const having = (filter: (rule: FieldRule) => boolean): [string, FieldRule][] =>
    Object.entries(fields).filter(([, rule]) => filter(rule));

  test.each(having(({ patch }) => patch !== "fixed"))("applies a PATCH with %s", async (path, rule) => {
    const subject = await Subject.make(dialect, rule);
    const revisions = rule.revises ? 1 : 0;
    const value = await subject.valueFor(path, values[path]);
    const changed = await subject.patch(bodyWith(path, value), path);
    expect([changed.status, changed.made, changed.unknownFields]).toEqual([200, revisions, []]);
    if (!unread.includes(path)) expect(changed.value).toEqual(shown(path, value, dialect));
    // Sending the same value again creates as many revisions, because only null values are ignored.
    expect((await subject.patch(bodyWith(path, value), path)).made).toBe(revisions);
  });

  test.each(having(({ patch }) => patch === "fixed"))(
    "accepts a PATCH that repeats %s, and rejects a change",
    async (path, rule) => {
      const subject = await Subject.make(dialect, rule);
      const { value } = await subject.patch({}, path);
      if (value !== null)
        expect(await subject.patch(bodyWith(path, value), path)).toMatchObject({ status: 200, made: 0 });
      expect(await subject.patch(bodyWith(path, values[path]), path)).toMatchObject({
        status: 400,
        made: 0,
        value,
      });
    },
  );

  test.each(having(() => true))(
    "keeps or clears %s in a PATCH with null, depending on the dialect",
    async (path, rule) => {
      const subject = await Subject.make(dialect, rule);
      const set = rule.patch === "fixed" ? {} : bodyWith(path, await subject.valueFor(path, values[path]));
      await subject.patch(set, path);
      const { value } = await subject.patch({}, path);
      const nulled = await subject.patch(bodyWith(path, null), path);
      const bySource = path.startsWith("source_revision_config.") && emptyRevisionConfigRevises;
      expect([nulled.status, nulled.made]).toEqual([200, bySource ? 1 : 0]);
      expect(nulled.value).toEqual(rule.null === "clears" ? (serverFills[path] ?? null) : value);
    },
  );

  test("clears the secrets in a PATCH with an empty list, or ignores the list", async () => {
    const subject = await Subject.make(dialect, fields["secrets"]!);
    const { value } = await subject.patch({}, "secrets");
    expect(value).toHaveLength(1);
    const kept = fields["secrets"]!.emptyList === "nothing";
    expect(await subject.patch({ secrets: [] }, "secrets")).toMatchObject({
      made: 0,
      value: kept ? value : [],
    });
  });

  test("ignores fields of other dialects, and creates no revision", async () => {
    const foreign = Object.keys(values).filter(
      (path) => !(path in fields) && path.split(".")[0] !== "display_name",
    );
    for (const path of foreign) {
      const { made, status, unknownFields } = await (
        await Subject.make(dialect, {})
      ).patch(bodyWith(path, values[path]), path);
      const bySource = path.startsWith("source_revision_config.") && emptyRevisionConfigRevises;
      expect([path, status, made, unknownFields]).toEqual([path, 200, bySource ? 1 : 0, [path]]);
    }
  });

  test("creates a revision for empty groups only if the rules say so", async () => {
    const subject = await Subject.make(dialect, fields["name"]!);
    expect(await subject.patch({ source_config: {} }, "name")).toMatchObject({ status: 200, made: 0 });
    const expected = { status: 200, made: emptyRevisionConfigRevises ? 1 : 0 };
    expect(await subject.patch({ source_revision_config: {} }, "name")).toMatchObject(expected);
    expect(await subject.patch({ source_revision_config: null }, "name")).toMatchObject({
      status: 200,
      made: 0,
    });
  });

  test("replaces the whole resource specification instead of merging it", async () => {
    const subject = await Subject.make(dialect, { ...fields["source_config.resource_spec"]! });
    const path = "source_config.resource_spec";
    await subject.patch(bodyWith(path, { cpu: 2, labels: { team: "a" } }), path);
    const { value } = await subject.patch(bodyWith(path, { memory_mb: 1024 }), path);
    expect(value).toMatchObject({ memory_mb: 1024 });
    expect(value).not.toHaveProperty("labels");
  });

  test.each(Object.entries(sources))(
    "creates the first revision of a deployment from %s immediately, or only on request",
    async (source, { firstRevision }) => {
      const { client } = await start({ dialect });
      const { body } = await client.post<Deployment>(
        deployments,
        creations[source === "*" ? "github" : source]!(dialect),
      );
      const list = await client.get<Resources<Revision>>(`${deployments}/${body.id}/revisions`);
      expect(list.body.resources.map(({ id }) => id)).toEqual(firstRevision ? [body.latest_revision_id] : []);
    },
  );
});

/** Fields that are not part of any record. */
const unread = ["revision_source", "tracked_repo_ref"];

/** Returns the expected value in a record. The public service resolves branches to commits. */
function shown(path: string, value: unknown, dialect: DialectName): unknown {
  if (dialect === "langsmith" && path === "source_revision_config.repo_ref")
    return expect.stringMatching(/^(other|[0-9a-f]{40})$/);
  return value;
}
