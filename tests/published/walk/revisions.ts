import type { CursorPage, Deployment, LogPage, Resources, Revision } from "../../emulator/answers";
import { type Ground, settled, unknownId } from "./ground";

/** Reads, creates, redeploys, and interrupts revisions. */
export async function walkRevisions(ground: Ground, deploymentId: string): Promise<void> {
  const { recorder, plane } = ground;
  const revisions = `/v2/deployments/${deploymentId}/revisions`;
  await settled(ground);
  plane.admin.steer({ verdict: "BUILD_FAILED", reason: "It is broken.", times: 1 });
  const { body: made, status } = await recorder.visit<Revision>("POST", revisions, {
    source_revision_config: { repo_ref: "next" },
    secrets: [{ name: "MODEL_KEY", value: "other" }],
  });
  expect(status).toBe(201);
  await settled(ground);
  expect((await recorder.visit<Revision>("GET", `${revisions}/${made.id}`)).body.status).toBe("BUILD_FAILED");
  const page = await recorder.visit<Resources<Revision>>(
    "GET",
    `${revisions}?limit=2&offset=0&status=DEPLOYED,BUILD_FAILED`,
  );
  expect(page.body.resources).toHaveLength(2);
  await recorder.visit("GET", `${revisions}?remote_reconciled=false`);
  expect((await recorder.visit("GET", `${revisions}?offset=-1`)).status).toBe(422);
  const again = await recorder.visit<Deployment>(
    "POST",
    `${revisions}/${page.body.resources[1]!.id}/redeploy`,
  );
  const newest = again.body.latest_revision_id;
  expect((await recorder.visit<Revision>("GET", `${revisions}/${newest}`)).body.status).not.toBe("DEPLOYED");
  expect((await recorder.visit("POST", `${revisions}/${newest}/interruption`)).status).toBe(204);
  expect((await recorder.visit<Revision>("GET", `${revisions}/${newest}`)).body.status).toBe("INTERRUPTED");
  const moved = { source_config: { integration_id: unknownId } };
  expect((await recorder.visit("POST", revisions, moved)).status).toBe(400);
  await walkUnknownRevisions(ground, revisions);
}

async function walkUnknownRevisions({ recorder }: Ground, revisions: string): Promise<void> {
  const elsewhere = `/v2/deployments/${unknownId}/revisions`;
  for (const [method, path, sent] of [
    ["GET", elsewhere],
    ["POST", elsewhere, {}],
    ["GET", `${revisions}/${unknownId}`],
    ["POST", `${revisions}/${unknownId}/redeploy`],
  ] as const)
    expect((await recorder.visit(method, path, sent)).status).toBe(404);
  for (const [method, path, sent] of [
    ["GET", "/v2/deployments/seven/revisions"],
    ["POST", revisions, { secrets: [{}] }],
    ["GET", `${revisions}/seven`],
    ["POST", `${revisions}/seven/redeploy`],
  ] as const)
    expect((await recorder.visit(method, path, sent)).status).toBe(422);
}

/** Reads the logs of builds and agents. */
export async function walkLogs({ recorder }: Ground, deploymentId: string): Promise<void> {
  const one = `/v2/deployments/${deploymentId}`;
  const { resources } = (await recorder.visit<Resources<Revision>>("GET", `${one}/revisions`)).body;
  const oldest = resources.at(-1)!.id;
  const logs = `${one}/revisions/${oldest}/logs`;
  const since = "start_time=2020-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z";
  const first = await recorder.visit<LogPage>(
    "GET",
    `${logs}?type=build&order=asc&limit=1&level=INFO&${since}`,
  );
  expect(first.body.logs).toHaveLength(1);
  await recorder.visit("GET", `${logs}?type=build&limit=1&offset=${first.body.next_offset}`);
  await recorder.visit("GET", `${logs}?type=deploy&order=desc&query=x&run_id=${unknownId}`);
  expect((await recorder.visit("GET", `${logs}?type=other`)).status).toBe(422);
  expect((await recorder.visit("GET", `${one}/revisions/${unknownId}/logs?type=build`)).status).toBe(404);
  expect((await recorder.visit("GET", `${one}/logs`)).status).toBe(200);
  const entries = `/v2/deployment-logs?deployment_id=${deploymentId}`;
  const page = await recorder.visit<CursorPage<object>>(
    "GET",
    `${entries}&log_type=BUILD&page_size=1&sort_order=desc&${since}`,
  );
  expect(page.body.items).toHaveLength(1);
  const narrow = `revision_id=${oldest}&query=x&level=ERROR&run_id=a&cursor=${page.body.next_cursor}`;
  await recorder.visit("GET", `${entries}&${narrow}`);
  expect((await recorder.visit("GET", "/v2/deployment-logs")).status).toBe(422);
}
