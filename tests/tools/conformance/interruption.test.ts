import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { Journal } from "../../../tools/conformance/journal";
import { harness, runConformance } from "./harness";

test.each([
  ["during the first create", "POST", 2],
  ["during a rollout", "GET", 25],
  ["during the changes", "PATCH", 3],
  ["during a deletion", "DELETE", 2],
] as const)("deletes everything after an interruption %s", async (_, method, count) => {
  const abort = new AbortController();
  let seen = 0;
  const { options, names } = await harness("interface", {
    signal: abort.signal,
    mutate: (request, answer) => {
      // The control plane has carried out the request, but the run does not receive the response.
      if (request.method === method && (seen += 1) === count) abort.abort(new Error("interrupted by SIGINT"));
      return answer;
    },
  });

  const run = await runConformance(options);

  expect(run.interrupted).toBe("interrupted by SIGINT");
  expect([run.left, await names(), existsSync(options.journalFile)]).toEqual([[], [], false]);
});

test("deletes everything after a connection error", async () => {
  let seen = 0;
  const { options, names } = await harness("interface", {
    mutate: async (request, answer) => {
      if (request.method === "POST" && answer.status === 201 && (seen += 1) === 1)
        return { status: 201, body: "" };
      return answer;
    },
  });

  const run = await runConformance(options);

  // The ID of the first deployment was lost, and the journal contains only its name.
  expect([run.left, await names()]).toEqual([[], []]);
});

test("deletes everything even if the first deletions and some polls fail", async () => {
  const refused = { DELETE: 0, GET: 0 };
  const { options, names } = await harness("interface", {
    refuses: ({ method, path }) =>
      (method === "DELETE" && (refused.DELETE += 1) <= 7) ||
      (method === "GET" && /revisions\/[^/]+$/.test(path) && (refused.GET += 1) <= 3),
  });

  const run = await runConformance(options);

  expect([run.interrupted, run.left, await names()]).toEqual([undefined, [], []]);
});

test("deletes only the deployments of a killed run with --clean", async () => {
  const { rig, options, clean, names } = await harness("interface");
  const body = (name: string) => ({
    name,
    source: "github",
    source_config: { repo_url: "https://git.example.test/agents.git" },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    secrets: [],
  });
  const create = async (name: string) =>
    (await rig.client.post<{ id: string }>("/v2/deployments", body(name))).body.id;
  const journal = new Journal(options.journalFile);
  const { baseUrl, tenantId, dialect } = options.connection;
  const connection = { baseUrl, dialect, ...(tenantId !== undefined && { tenantId }) };
  const [recorded, lost, renamed, foreign, unrecorded] = [
    "as-conf-000000000001",
    "as-conf-000000000002",
    "as-conf-000000000003",
    "billing-agent",
    "as-conf-000000000005",
  ] as const;
  journal.creating({ name: recorded, ...connection });
  journal.created(recorded, await create(recorded));
  journal.creating({ name: lost, ...connection });
  await create(lost);
  // With this name, the journal contains the ID of a deployment that has another name.
  journal.creating({ name: renamed, ...connection });
  journal.created(renamed, await create(foreign));
  await create(unrecorded);
  appendFileSync(options.journalFile, `{"event":"creating","na`);

  expect(await clean()).toEqual([renamed]);
  expect((await names()).sort()).toEqual([unrecorded, foreign].sort());
  expect(readFileSync(options.journalFile, "utf8")).not.toContain(rig.plane.apiKey);
});

test("does not delete deployments of another control plane or workspace", async () => {
  const { options, clean, names } = await harness("interface");
  const journal = new Journal(options.journalFile);
  journal.creating({
    name: "as-conf-000000000001",
    baseUrl: "https://other.example.test",
    tenantId: "tenant",
    dialect: "interface",
  });

  expect(await clean()).toEqual(["as-conf-000000000001"]);
  expect(await names()).toEqual([]);
});
