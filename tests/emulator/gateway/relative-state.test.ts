import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Thread } from "../answers";
import { type ControlPlane, startControlPlane } from "../../../emulator/index";
import { Client } from "../control-plane/client";
import { Repository, temporaryFolder } from "../rollout/repository";
import { versatileAgent } from "./agent";
import { deploy, revise } from "./deployment";

const before = process.cwd();
let plane: ControlPlane | undefined;
afterAll(async () => {
  process.chdir(before);
  await plane?.close();
});

test("keeps threads and store items across revisions if the state folder's path is relative", async () => {
  const here = temporaryFolder("relative");
  process.chdir(here);
  plane = await startControlPlane({ rollout: "real", state: ".agents" });
  process.chdir(temporaryFolder("elsewhere"));
  const repository = new Repository(versatileAgent());
  const url = await deploy(plane, repository);
  const client = new Client(url, { "X-Api-Key": plane.apiKey });
  const { thread_id: thread } = (await client.post<Thread>("/threads")).body;
  const item = { namespace: ["kept"], key: "one", value: { is: "here" } };
  expect((await client.send("PUT", "/store/items", item)).status).toBe(204);
  const id = url.split("/").at(-1)!;
  const deployment = join(here, ".agents", "deployments", id);
  expect(readdirSync(join(deployment, "data", "runtime"))).toContain(".langgraph_api");

  for (const version of ["two", "three"]) {
    repository.commit(versatileAgent(version));
    await revise(plane, url);
    expect((await client.get(`/threads/${thread}`)).status).toBe(200);
    expect((await client.get("/store/items?namespace=kept&key=one")).body).toMatchObject(item);
  }
  expect(readdirSync(here)).toEqual([".agents"]);
});
