import { fc } from "../../properties";
import type { Deployment } from "../answers";
import { formatTag } from "../../../wire";
import { Journal } from "../../../emulator/admin/journal/journal";
import { masked, secretValues } from "../../../emulator/admin/journal/masking";
import { clientOf, creation, start, stopAll } from "../control-plane/client";

afterEach(stopAll);

const canary = "canary-3f9c";
const path = "/v2/deployments";

test("records requests in order, with their bodies and responses", async () => {
  const { client, plane } = await start();
  const { id } = (
    await client.post<Deployment>(path, creation("agent", { color: "red", source_config: { shape: 1 } }))
  ).body;
  await client.get(`/api-host${path}?limit=5`);
  await client.patch(`${path}/${id}`, { source_config: { build_on_push: true } });
  await client.get("/ok");
  expect(plane.admin.journal()).toMatchObject([
    {
      sequence: 1,
      method: "POST",
      path,
      status: 201,
      time: "2026-01-01T00:00:00.000Z",
      unknownFields: ["source_config.shape", "color"],
    },
    {
      sequence: 2,
      method: "GET",
      path: `/api-host${path}`,
      query: { limit: "5" },
      status: 200,
      unknownFields: [],
    },
    { sequence: 3, method: "PATCH", body: { source_config: { build_on_push: true } }, status: 200 },
    { sequence: 4, method: "GET", path: "/ok" },
  ]);
  expect(plane.admin.journal({ writes: true }).map(({ sequence }) => sequence)).toEqual([1, 3]);
  expect(plane.admin.journal({ method: "get", after: 2 }).map(({ sequence }) => sequence)).toEqual([4]);
  expect(plane.admin.journal({ path: `${path}/:id` }).map(({ sequence }) => sequence)).toEqual([3]);
  plane.admin.clearJournal();
  expect(plane.admin.journal()).toEqual([]);
});

test.each<[string, unknown]>([
  ["secrets", creation("agent", { secrets: [{ name: "A", value: canary }] })],
  ["secrets of the wrong shape", creation("agent", { secrets: { A: canary } })],
  ["a secret that is not an object", creation("agent", { secrets: [canary] })],
  ["a secret outside a list", creation("agent", { secrets: canary })],
  ["a secret without a name", creation("agent", { secrets: [{ value: canary }] })],
  ["a secret instead of a name", creation("agent", { secrets: [{ name: { a: canary }, value: 1 }] })],
  [
    "a name and value outside the secrets",
    creation("agent", { source_config: { resource_spec: { env: [{ name: "A", value: canary }] } } }),
  ],
  [
    "values whose keys suggest credentials",
    creation("agent", { source_config: { resource_spec: { apiKey: canary, Password: canary } } }),
  ],
  [
    "a secret value that is repeated elsewhere",
    creation(`agent-${canary}`, { secrets: [{ name: "A", value: canary }] }),
  ],
  [
    "a secret value that is used as a key",
    creation("agent", { secrets: [{ name: "A", value: canary }], [canary]: 1 }),
  ],
  ["secrets in truncated JSON", `{"secrets":[{"name":"A","value":"${canary}"`],
  ["secrets in a list of bodies", [{ secrets: [{ name: "A", value: canary }] }]],
])("masks %s", async (_what, body) => {
  const { client, plane } = await start();
  await client.post(path, body);
  await client.patch(`${path}/0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000`, body);
  await client.post("/v2/auth/authenticate", body);
  const journal = plane.admin.journal();
  expect(journal).toHaveLength(3);
  expect(JSON.stringify(journal)).not.toContain(canary);
});

test("keeps secret names visible", async () => {
  const { client, plane } = await start();
  await client.post(path, creation("agent", { secrets: [{ name: "OPENAI_API_KEY", value: canary }] }));
  expect(plane.admin.journal()[0]!.body).toMatchObject({
    secrets: [{ name: "OPENAI_API_KEY", value: "[masked]" }],
  });
});

test("shows plain variables unless a secret has the same value", async () => {
  const { client, plane } = await start();
  const tag = formatTag({
    ownerId: "owner",
    revisions: 1,
    since: "2026-01-01T00:00:00.000Z",
    holder: { organization: "acme", project: "agents", stack: "prod", resource: "agent" },
    variables: ["COPY", "MODE", "ROUTE"],
  });
  const secrets = [
    { name: "MODEL_KEY", value: canary },
    { name: "MODE", value: "production" },
    { name: "COPY", value: canary },
    { name: "ROUTE", value: `https://user:pass-4711@example.test/?key=${canary}` },
    { name: "AGENTSERVER_OWNER", value: tag },
  ];
  await client.post(path, creation("agent-production", { secrets }));
  const [entry] = plane.admin.journal();
  expect(entry!.body).toMatchObject({
    name: "agent-production",
    secrets: [
      { name: "MODEL_KEY", value: "[masked]" },
      { name: "MODE", value: "production" },
      { name: "COPY", value: "[masked]" },
      { name: "ROUTE", value: "https://[masked]@example.test/?key=[masked]" },
      { name: "AGENTSERVER_OWNER", value: "[masked]" },
    ],
  });
});

test("masks an API key anywhere in a request", async () => {
  const { plane } = await start({ apiKey: canary, tenantId: "tenant" });
  const client = clientOf(plane);
  await client.post(`${path}?key=${canary}`, creation(canary, { [canary]: canary }));
  await client.get(`${path}/${canary}`);
  const journal = plane.admin.journal();
  expect(journal).toHaveLength(2);
  expect(JSON.stringify(journal)).not.toContain(canary);
});

test("masks all secrets in a body, and preserves its structure", () => {
  const secret = fc.stringMatching(/^[a-z0-9]{8,20}$/);
  fc.assert(
    fc.property(
      fc.jsonValue(),
      secret,
      fc.constantFrom("secrets", "token", "API-KEY"),
      (rest, value, key) => {
        const body = {
          rest,
          deep: [{ [key]: [{ name: "A", value }, value, { other: value }] }],
          text: `x${value}y`,
        };
        const shown = masked(body, secretValues(body, []));
        expect(JSON.stringify(shown)).not.toContain(value);
        expect(shown).toMatchObject({ deep: [{ [key]: [{ name: "A" }, "[masked]", {}] }] });
      },
    ),
  );
});

test("keeps a body without secrets unchanged", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "repo_ref"), fc.jsonValue()), (body) => {
      fc.pre(
        !/secret|token|passw|credential|authorization|api[-_]?key|private|value/i.test(JSON.stringify(body)),
      );
      expect(masked(body, secretValues(body, []))).toEqual(body);
    }),
  );
});

test("records only the length and the field names of a long body", async () => {
  const { client, plane } = await start();
  const secrets = [{ name: "A", value: canary }];
  await client.post(path, creation("agent", { secrets, [canary]: "x".repeat(20_000) }));
  const { body, unknownFields } = plane.admin.journal()[0]!;
  expect(body).toMatch(
    /^\[20\d{3} characters, too long to keep; fields: name, source, .*, secrets, \[masked\]\]$/,
  );
  expect(unknownFields).toEqual(["[masked]"]);
});

test("lists only the first fifty unknown fields, and shortens long names", async () => {
  const { client, plane } = await start();
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`field${number}`, 1]));
  await client.post(path, creation("agent", { ["x".repeat(201)]: 1, ...many }));
  const { unknownFields } = plane.admin.journal()[0]!;
  expect(unknownFields).toHaveLength(51);
  expect(unknownFields.slice(0, 2)).toEqual(["[201 characters]", "field0"]);
  expect(unknownFields.at(-1)).toBe("and 11 more");
});

describe("journal limits", () => {
  const entry = { time: "", method: "GET", path, query: {}, status: 200, unknownFields: [] };
  const kept = (journal: Journal): number[] => journal.read().map(({ sequence }) => sequence);

  test("removes the oldest entries when there are too many", () => {
    const journal = new Journal({ entries: 2, characters: 10_000 });
    for (let times = 0; times < 3; times += 1) journal.add(entry);
    expect(kept(journal)).toEqual([2, 3]);
  });

  test("removes the oldest entries when the entries are too long in total", () => {
    const journal = new Journal({ entries: 100, characters: 10_000 });
    for (let times = 0; times < 20; times += 1) journal.add({ ...entry, body: "x".repeat(3_000) });
    expect(kept(journal)).toEqual([18, 19, 20]);
    journal.add({ ...entry, body: "x".repeat(10_000) });
    expect(kept(journal)).toEqual([]);
    journal.add(entry);
    expect(kept(journal)).toEqual([22]);
  });

  test("limits the size of the entries for requests with many fields", async () => {
    const { client, plane } = await start();
    const { id } = (await client.post<Deployment>(path, creation("agent"))).body;
    const padding = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, number) => [`field${number}`, "x".repeat(70)]),
    );
    for (let times = 0; times < 20; times += 1) await client.patch(`${path}/${id}`, padding);
    expect(plane.admin.journal()).toHaveLength(21);
    expect(JSON.stringify(plane.admin.journal()).length).toBeLessThan(21 * 3_000);
  });
});

test("masks the user name and password in a URL, and other occurrences of the password", async () => {
  const { client, plane } = await start();
  const source_config = { repo_url: `https://user:${canary}@x@example.test/agent.git` };
  await client.post(path, creation(`agent-${canary}@x`, { source_config }));
  await client.post(
    path,
    creation("agent", { source_config: { repo_url: `https://${canary}@example.test` } }),
  );
  expect(plane.admin.journal()).toMatchObject([
    {
      body: {
        name: "agent-[masked]",
        source_config: { repo_url: "https://[masked]@example.test/agent.git" },
      },
    },
    { body: { source_config: { repo_url: "https://[masked]@example.test" } } },
  ]);
});

test("keeps a URL without a user name unchanged", () => {
  for (const url of ["https://example.test/a@v1", "https://example.test?at=@", "git@example.test:a/b.git"])
    expect(masked(url, [])).toBe(url);
});

test("omits a body that is nested too deeply", async () => {
  const { client, plane, faults } = await start();
  await client.post(path, "[".repeat(100_000) + "]".repeat(100_000));
  expect(plane.admin.journal()).toMatchObject([
    { status: 422, body: expect.stringContaining("nested too deeply") },
  ]);
  expect(faults).toEqual([]);
});
