import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ControlPlane, startControlPlane } from "../../../../emulator/index";
import type { Deployment, LogPage, Refused, Revision } from "../../answers";
import { controlPlaneClient, until } from "../../gateway/deployment";
import { agentFiles, answeringGraph } from "../../rollout/agents";
import { temporaryFolder } from "../../rollout/repository";
import type { Client } from "../client";
import { archiveOf } from "./archive";
import { create, path, upload } from "./rig";

const state = temporaryFolder("state");
const planes: ControlPlane[] = [];
let client: Client;
let plane: ControlPlane;
let id: string;

async function begin(): Promise<void> {
  plane = await startControlPlane({ rollout: "real", dialect: "langsmith", state });
  planes.push(plane);
  client = controlPlaneClient(plane);
}

beforeAll(async () => {
  await begin();
  id = await create(client);
});
afterAll(() => Promise.all(planes.map((one) => one.close())));

/** Returns the archive of an agent that responds with a fixed word and a variable from its environment. */
function speaking(word: string): Buffer {
  return archiveOf(agentFiles(answeringGraph(`return "${word} " + process.env.GREETING;`)));
}

/** Creates a revision, waits until its rollout has finished, and resolves with it. */
async function revise(sourceRevisionConfig: object, more: object = {}): Promise<Revision> {
  const body = { revision_source: "internal_source", source_revision_config: sourceRevisionConfig, ...more };
  const made = await client.patch<Deployment>(`${path}/${id}`, body);
  expect(made.status).toBe(200);
  return ended(made.body.latest_revision_id);
}

async function ended(revision: string): Promise<Revision> {
  const one = `${path}/${id}/revisions/${revision}`;
  const over = /^(DEPLOYED|SKIPPED|.*FAILED)$/;
  return (
    await until(
      () => client.get<Revision>(one),
      ({ body }) => over.test(body.status),
    )
  ).body;
}

async function answer(): Promise<unknown> {
  const asked = { assistant_id: "agent", input: { messages: [{ role: "user", content: "hi" }] } };
  const { body } = await until(
    () => client.post<{ messages: { content: string }[] }>(`/agents/${id}/runs/wait`, asked),
    ({ status }) => status !== 503,
  );
  return body.messages.at(-1)?.content;
}

test("deploys an uploaded agent, which completes a run", async () => {
  const source_tarball_path = await upload(client, id, speaking("first"));
  const revision = await revise(
    { source_tarball_path, langgraph_config_path: "langgraph.json" },
    { secrets: [{ name: "GREETING", value: "hello" }] },
  );
  expect(revision).toMatchObject({ status: "DEPLOYED", status_message: null });
  expect(await answer()).toBe("first hello");
  const logs = await client.post<LogPage>(`/v1/projects/${id}/revisions/${revision.id}/build_logs`, {
    order: "asc",
    limit: 50,
  });
  expect(logs.body.logs.map(({ message }) => message)).toEqual([
    "Copying the uploaded source.",
    "No npm dependencies to install.",
  ]);
});

test("deploys another upload, and redeploys the earlier revision from its own upload", async () => {
  const first = (await client.get<Deployment>(`${path}/${id}`)).body.latest_revision_id;
  await revise({ source_tarball_path: await upload(client, id, speaking("second")) });
  expect(await answer()).toBe("second hello");
  const { body } = await client.post<Deployment>(`${path}/${id}/revisions/${first}/redeploy`);
  await ended(body.latest_revision_id);
  expect(await answer()).toBe("first hello");
});

test("creates a revision from the same upload when secrets change", async () => {
  const made = await client.patch<Deployment>(`${path}/${id}`, {
    secrets: [{ name: "GREETING", value: "goodbye" }],
  });
  await ended(made.body.latest_revision_id);
  expect(await answer()).toBe("first goodbye");
});

test("rebuilds the agent after a restart if the build is missing", async () => {
  await plane.close();
  rmSync(join(state, "deployments", id, "revisions"), { recursive: true });
  await begin();
  expect(await answer()).toBe("first goodbye");
});

test("supports a configuration in a subfolder, and custom commands", async () => {
  const files = agentFiles(answeringGraph('return "nested " + process.env.GREETING;'));
  const nested = Object.fromEntries(Object.entries(files).map(([name, text]) => [`apps/one/${name}`, text]));
  const source_tarball_path = await upload(client, id, archiveOf(nested));
  const revision = await revise(
    { source_tarball_path, langgraph_config_path: "apps/one/langgraph.json" },
    { source_config: { install_command: "touch installed", build_command: "ls ../../installed" } },
  );
  expect(revision.status).toBe("DEPLOYED");
  expect(await answer()).toBe("nested goodbye");
  const { body } = await client.get<Deployment>(`${path}/${id}`);
  expect(body.source_config).toMatchObject({ install_command: "touch installed" });
});

test("fails the build if there is no configuration, and keeps the previous agent", async () => {
  const source_tarball_path = await upload(client, id, archiveOf({ "readme.md": "" }));
  const revision = await revise({ source_tarball_path });
  expect(revision).toMatchObject({
    status: "BUILD_FAILED",
    status_message:
      "The graph configuration apps/one/langgraph.json does not exist in the source of this revision.",
  });
  expect(await answer()).toBe("nested goodbye");
});

test("fails the build with advice if the upload is missing", async () => {
  const other = await create(client, "other");
  const made = await client.patch<Deployment>(`${path}/${other}`, {
    source_revision_config: { langgraph_config_path: "langgraph.json" },
  });
  const revision = `${path}/${other}/revisions/${made.body.latest_revision_id}`;
  const { body } = await until(
    () => client.get<Revision>(revision),
    (one) => one.body.status.endsWith("FAILED"),
  );
  expect(body.status_message).toMatch(/source_tarball_path is missing/);
  const source_tarball_path = await upload(client, id, speaking("gone"));
  const uploadId = source_tarball_path.split("/").at(-1)!.replace(".tar.gz", "");
  rmSync(join(state, "deployments", id, "uploads", uploadId), { recursive: true });
  const refused = await client.patch<Refused>(`${path}/${id}`, {
    source_revision_config: { source_tarball_path },
  });
  expect(refused.status).toBe(400);
});

test("removes all files when the deployment is deleted", async () => {
  expect(existsSync(join(state, "deployments", id, "uploads"))).toBe(true);
  expect((await client.delete(`${path}/${id}`)).status).toBe(204);
  expect(readdirSync(join(state, "deployments"))).not.toContain(id);
});
