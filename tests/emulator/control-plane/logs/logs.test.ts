import type { CursorPage, Deployment, LogPage, Revision } from "../../answers";
import { creationIn, start, stopAll } from "../client";

afterEach(stopAll);

async function talkative() {
  const rig = await start({ dialect: "langsmith" });
  rig.plane.admin.steer({
    pace: "at once",
    logs: [
      { message: "cloning" },
      { type: "deploy", message: "starting run-7" },
      { type: "deploy", level: "ERROR", message: "it hurts" },
    ],
  });
  const { body } = await rig.client.post<Deployment>("/v2/deployments", creationIn("langsmith", "agent"));
  const path = `/v2/deployments/${body.id}`;
  const first = body.latest_revision_id;
  await rig.clock.advance(60_000);
  const second = (await rig.client.post<Revision>(`${path}/revisions`, {})).body.id;
  return { ...rig, id: body.id, path, first, second };
}

const messages = (rows: { message: string }[]): string[] => rows.map(({ message }) => message);

test("requires a type in requests for a revision's log in the langsmith dialect", async () => {
  const { client, path, first } = await talkative();
  expect((await client.get(`${path}/revisions/${first}/logs`)).status).toBe(422);
  const { body } = await client.get<LogPage>(`${path}/revisions/${first}/logs?type=deploy&level=ERROR`);
  expect(messages(body.logs)).toEqual(["it hurts"]);
  const run = await client.get<LogPage>(`${path}/revisions/${first}/logs?type=deploy&run_id=run-7`);
  expect(messages(run.body.logs)).toEqual(["starting run-7"]);
});

test("filters logs by time", async () => {
  const { client, clock, path } = await talkative();
  const middle = new Date(clock.now() - 30_000).toISOString();
  const early = await client.get<LogPage>(`${path}/logs?type=build&end_time=${encodeURIComponent(middle)}`);
  const late = await client.get<LogPage>(`${path}/logs?type=build&start_time=${encodeURIComponent(middle)}`);
  expect(messages(early.body.logs)).toEqual(["cloning"]);
  expect(messages(late.body.logs)).toEqual(["cloning"]);
  expect((await client.get(`${path}/logs?start_time=yesterday`)).status).toBe(422);
});

test("returns a deployment's log entries in pages with cursors", async () => {
  const { client, id, first } = await talkative();
  const read = async (more: string) =>
    (await client.get<CursorPage<{ message: string }>>(`/v2/deployment-logs?deployment_id=${id}${more}`))
      .body;
  expect(messages((await read("&log_type=BUILD")).items)).toEqual(["cloning", "cloning"]);
  expect((await read(`&revision_id=${first}`)).items).toHaveLength(2);
  const page = await read("&page_size=3&sort_order=desc");
  const rest = await read(`&page_size=3&sort_order=desc&cursor=${page.next_cursor}`);
  expect([...messages(page.items), ...messages(rest.items)]).toEqual([
    "it hurts",
    "starting run-7",
    "it hurts",
    "starting run-7",
  ]);
  expect(rest.next_cursor).toBeNull();
  expect((await client.get("/v2/deployment-logs")).status).toBe(422);
  expect((await client.get(`/v2/deployment-logs?deployment_id=${first}`)).status).toBe(404);
});

test("serves the older paths that the command-line tool uses", async () => {
  const { client, id, first, second } = await talkative();
  const body = { order: "asc", limit: 50, offset: null, level: null };
  const path = `/v1/projects/${id}`;
  const build = await client.post<LogPage>(`${path}/revisions/${first}/build_logs`, body);
  expect(build).toMatchObject({ status: 200, body: { next_offset: null } });
  expect(messages(build.body.logs)).toEqual(["cloning"]);
  const deploy = await client.post<LogPage>(`${path}/revisions/${second}/deploy_logs`, { limit: 1 });
  expect(messages(deploy.body.logs)).toEqual(["starting run-7"]);
  const next = await client.post<LogPage>(`${path}/revisions/${second}/deploy_logs`, {
    limit: 1,
    offset: deploy.body.next_offset,
  });
  expect(messages(next.body.logs)).toEqual(["it hurts"]);
  expect(
    messages((await client.post<LogPage>(`${path}/deploy_logs`, { query: "HURTS" })).body.logs),
  ).toHaveLength(2);
});

test("rejects requests for logs without a key", async () => {
  const { plane, id, first } = await talkative();
  for (const [method, path] of [
    ["GET", `/v2/deployment-logs?deployment_id=${id}`],
    ["GET", `/v2/deployments/${id}/logs`],
    ["POST", `/v1/projects/${id}/deploy_logs`],
    ["POST", `/v1/projects/${id}/revisions/${first}/build_logs`],
  ])
    expect((await fetch(plane.baseUrl + path, { method })).status).toBe(401);
});

test("logs the progress of a simulated rollout", async () => {
  const { client, clock } = await start({ dialect: "langsmith" });
  const { body } = await client.post<Deployment>("/v2/deployments", creationIn("langsmith", "agent"));
  await clock.advance(60_000);
  for (const type of ["build", "deploy"]) {
    const path = `/v2/deployments/${body.id}/revisions/${body.latest_revision_id}/logs?type=${type}`;
    const { logs } = (await client.get<LogPage>(path)).body;
    expect(logs.length).toBeGreaterThan(0);
    expect(messages(logs).every((message) => message.startsWith("Simulated: "))).toBe(true);
  }
});
