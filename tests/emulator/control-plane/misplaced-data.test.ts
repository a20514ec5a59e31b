import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Deployment, LogPage } from "../answers";
import { creation, type Rig, start, stopAll } from "./client";
import { temporaryFolder } from "./folder";

afterEach(stopAll);

const runner = { roll: async () => undefined, restart: async () => undefined };

/** A state folder with one deployment, as versions left it that had never looked for misplaced data. */
async function earlierState(): Promise<{ state: string; id: string; revision: string }> {
  const state = temporaryFolder();
  const { plane, client, clock } = await start({ state, runner });
  const { id, latest_revision_id: revision } = (
    await client.post<Deployment>("/v2/deployments", creation("agent"))
  ).body;
  await clock.advance(0);
  await plane.close();
  const database = new DatabaseSync(join(state, "control-plane.sqlite"));
  database.exec("DELETE FROM settings WHERE key = 'misplacedDataMoved'");
  database.close();
  return { state, id, revision };
}

/** What an agent keeps in a folder; `minute` is when it wrote last. */
function keepThreads(runtime: string, text: string, minute: number): void {
  const folder = join(runtime, ".langgraph_api");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "threads.json"), text);
  utimesSync(folder, minute * 60, minute * 60);
}

async function logOf({ client }: Rig, id: string): Promise<string[]> {
  const { body } = await client.get<LogPage>(`/v2/deployments/${id}/logs?type=deploy`);
  return body.logs.map(({ message }) => message);
}

test("data that agents have put into their checkouts is moved to where agents look, and the log says so", async () => {
  const { state, id, revision } = await earlierState();
  const deployment = join(state, "deployments", id);
  const inside = (folder: string) => join(folder, ".agents", "deployments", id, "data", "runtime");
  const misplaced = inside(join(deployment, "revisions", revision, "source", "app"));
  const older = inside(join(deployment, "revisions", "older", "source"));
  keepThreads(misplaced, "new threads", 2);
  keepThreads(older, "old threads", 1);
  mkdirSync(join(deployment, "data", "runtime"), { recursive: true });

  const rig = await start({ state, runner });

  const found = (place: string) =>
    readFileSync(join(deployment, "data", place, ".langgraph_api", "threads.json"), "utf8");
  expect(found("runtime")).toBe("new threads");
  expect(found("runtime.found-1")).toBe("old threads");
  expect(existsSync(misplaced)).toBe(false);
  expect(await logOf(rig, id)).toEqual([
    `Moved the data of this deployment from ${misplaced} to ${join(deployment, "data", "runtime")}; ` +
      "an agent had put it into its checkout.",
    expect.stringContaining(join(deployment, "data", "runtime.found-1")),
  ]);
});

test("data that is where agents look is not replaced by what is found elsewhere", async () => {
  const { state, id, revision } = await earlierState();
  const deployment = join(state, "deployments", id);
  const right = join(deployment, "data", "runtime");
  keepThreads(right, "right", 1);
  const source = join(deployment, "revisions", revision, "source");
  keepThreads(join(source, "x", "deployments", id, "data", "runtime"), "found", 2);
  keepThreads(join(source, "x", "deployments", "another", "data", "runtime"), "another's", 2);

  await start({ state, runner });

  expect(readFileSync(join(right, ".langgraph_api", "threads.json"), "utf8")).toBe("right");
  expect(readdirSync(join(deployment, "data")).sort()).toEqual(["runtime", "runtime.found-1"]);
});

test("an empty name of the state folder is refused", async () => {
  await expect(start({ state: "" })).rejects.toThrow("`state` is empty");
});
