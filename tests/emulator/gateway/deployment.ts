import { setTimeout as sleep } from "node:timers/promises";
import type { Deployment, LogPage, Revision } from "../answers";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "../../../emulator/index";
import { type Answer, Client, creation } from "../control-plane/client";
import { Repository, temporaryFolder } from "../rollout/repository";
import { versatileAgent } from "./agent";

/** A server for deployments: a control plane in this process or in another one. */
export interface Served {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
}

/** Creates a deployment from the repository and waits until it is serving. Resolves with its URL. */
export async function deploy(
  served: Served,
  repository: Repository,
  name = "agent",
  more: object = {},
): Promise<string> {
  const client = controlPlaneClient(served);
  const source_config = { repo_url: repository.folder, build_on_push: false };
  const body = creation(name, { source_config, ...more });
  const { id, latest_revision_id: revision } = (await client.post<Deployment>("/v2/deployments", body)).body;
  await deployed(client, id, revision);
  return `${served.baseUrl}/agents/${id}`;
}

/** Creates a revision of the deployment at this URL and waits until it is serving. */
export async function revise(served: Served, url: string): Promise<void> {
  const client = controlPlaneClient(served);
  const id = url.split("/").at(-1)!;
  const change = { source_revision_config: { repo_ref: "main" } };
  const { latest_revision_id: revision } = (await client.patch<Deployment>(`/v2/deployments/${id}`, change))
    .body;
  await deployed(client, id, revision);
}

async function deployed(client: Client, id: string, revision: string): Promise<void> {
  for (;;) {
    const { body } = await client.get<Revision>(`/v2/deployments/${id}/revisions/${revision}`);
    if (body.status === "DEPLOYED") return;
    if (body.status.includes("FAILED")) throw new Error(`${body.status}: ${body.status_message}`);
    await sleep(50);
  }
}

export const controlPlaneClient = ({ baseUrl, apiKey, tenantId }: Served) =>
  new Client(baseUrl, { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId });

/** Returns the address of the first revision's agent server, as reported in the deployment log. */
export async function portOf({ plane }: Running, url: string): Promise<URL> {
  const path = `/v2/deployments/${url.split("/").at(-1)}/logs?type=deploy`;
  const { logs } = (await controlPlaneClient(plane).get<LogPage>(path)).body;
  const [, origin] = /is listening on (\S+)\.$/m.exec(logs.map(({ message }) => message).join("\n"))!;
  return new URL(origin!);
}

/** A real deployment, and a client for its agent server that does not check responses. */
export interface Running {
  plane: ControlPlane;
  url: string;
  client: Client;
  repository: Repository;
}

const planes: ControlPlane[] = [];
afterAll(() => Promise.all(planes.map((plane) => plane.close())));

/** Starts a control plane with one deployment. Both are stopped after the tests of the file. */
export async function runDeployment(
  options: ControlPlaneOptions = {},
  files: Record<string, string> = versatileAgent(),
): Promise<Running> {
  const repository = new Repository(files);
  const state = temporaryFolder("state");
  const plane = await startControlPlane({ rollout: "real", state, ...options });
  planes.push(plane);
  const url = await deploy(plane, repository);
  return { plane, url, client: new Client(url, { "X-Api-Key": plane.apiKey }), repository };
}

/** Repeats a request until its response meets the condition. */
export async function until<Body>(
  ask: () => Promise<Answer<Body>>,
  wanted: (answer: Answer<Body>) => boolean,
  withinMs = 50_000,
): Promise<Answer<Body>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > end) throw new Error(`Still ${answer.status}: ${JSON.stringify(answer.body)}`);
    await sleep(50);
  }
}
