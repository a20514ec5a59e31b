import {
  existsSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Deployment } from "../answers";
import { creation, type Rig, start, stopAll } from "../control-plane/client";
import { temporaryFolder } from "../control-plane/folder";

afterEach(stopAll);

test("keeps its key, tenant, port, and deployments across processes", async () => {
  const state = temporaryFolder();
  const before = await start({ state });
  const { id } = (await before.client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await before.plane.close();
  const after = await start({ state });
  const { baseUrl, apiKey, tenantId } = after.plane;
  expect({ baseUrl, apiKey, tenantId }).toEqual({
    baseUrl: before.plane.baseUrl,
    apiKey: before.plane.apiKey,
    tenantId: before.plane.tenantId,
  });
  expect((await before.client.get<Deployment>(`/v2/deployments/${id}`)).body.name).toBe("agent");
});

test("starts with new credentials each time if there is no state folder", async () => {
  const [one, other] = [await start(), await start()];
  expect(one.plane.apiKey).not.toBe(other.plane.apiKey);
  expect(one.plane.tenantId).not.toBe(other.plane.tenantId);
});

test("allows only the user to access the folder and its files", async () => {
  const state = join(temporaryFolder(), "new");
  const { client } = await start({ state });
  await client.post("/v2/deployments", creation("agent"));
  expect(statSync(state).mode & 0o777).toBe(0o700);
  const files = readdirSync(state);
  expect(files).toEqual(expect.arrayContaining(["control-plane.sqlite", "credentials.json", "running.json"]));
  for (const file of files) expect([file, statSync(join(state, file)).mode & 0o777]).toEqual([file, 0o600]);
});

test("excludes the folder from Git and from sources, unless it already has a .gitignore", async () => {
  const [state, other] = [join(temporaryFolder(), "new"), temporaryFolder()];
  writeFileSync(join(other, ".gitignore"), "credentials.json\n");
  await start({ state });
  await start({ state: other });
  expect([state, other].map((folder) => readFileSync(join(folder, ".gitignore"), "utf8"))).toEqual([
    "*\n",
    "credentials.json\n",
  ]);
});

test("rejects a second control plane for the same folder", async () => {
  const state = temporaryFolder();
  const { plane } = await start({ state });
  await expect(start({ state })).rejects.toThrow(
    `The state folder ${state} is in use by process ${process.pid} (${plane.baseUrl}).`,
  );
  await plane.close();
  expect(existsSync(join(state, "running.json"))).toBe(false);
  await start({ state });
});

test("reports that the port is in use, and releases the folder", async () => {
  const state = temporaryFolder();
  const { plane } = await start({ state });
  const port = Number(new URL(plane.baseUrl).port);
  await plane.close();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(port, "127.0.0.1", resolve));
  await expect(start({ state })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another program.`);
  await new Promise((resolve) => squatter.close(resolve));
  expect((await start({ state })).plane.baseUrl).toBe(plane.baseUrl);
});

test("uses the specified port, and remembers it", async () => {
  const state = temporaryFolder();
  const first = await start({ state });
  await first.plane.close();
  const { plane: other } = await start();
  const port = Number(new URL(other.baseUrl).port);
  await other.close();
  const moved = await start({ state, port });
  expect(moved.plane.baseUrl).toBe(`http://127.0.0.1:${port}`);
  await moved.plane.close();
  expect((await start({ state })).plane.baseUrl).toBe(`http://127.0.0.1:${port}`);
});

test("rejects the state of an incompatible version", async () => {
  const state = temporaryFolder();
  const database = new DatabaseSync(join(state, "control-plane.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(start({ state })).rejects.toThrow(
    "written by another version of the local control plane (schema 99",
  );
});

test("replaces incomplete credentials if there are no deployments", async () => {
  const state = temporaryFolder();
  writeFileSync(join(state, "credentials.json"), '{"apiKey":');
  const { plane, client } = await start({ state });
  expect((await client.get("/v2/deployments")).status).toBe(200);
  expect(JSON.parse(readFileSync(join(state, "credentials.json"), "utf8"))).toEqual({
    apiKey: plane.apiKey,
    tenantId: plane.tenantId,
  });
});

test.each([
  ["empty", ""],
  ["partly written", '{"apiKey":'],
  ["without the required fields", '{"apiKey": "key"}'],
])("rejects a credentials file that is %s if there are deployments, and keeps the file", async (_, text) => {
  const state = temporaryFolder();
  const file = join(state, "credentials.json");
  const { plane, client } = await start({ state });
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await plane.close();
  writeFileSync(file, text);
  await expect(start({ state })).rejects.toThrow(
    new RegExp(
      `^${file} does not contain a key .* deployments of tenant ${plane.tenantId}, .* Restore the file`,
    ),
  );
  expect(readFileSync(file, "utf8")).toBe(text);

  // Follows the advice in the error.
  writeFileSync(file, JSON.stringify({ apiKey: "chosen", tenantId: plane.tenantId }));
  const after = await start({ state });
  expect(after.plane.apiKey).toBe("chosen");
  expect((await after.client.get(`/v2/deployments/${id}`)).status).toBe(200);
});

test("does not replace credentials that cannot be read", async () => {
  const state = temporaryFolder();
  const file = join(state, "credentials.json");
  mkdirSync(file);
  await expect(start({ state })).rejects.toThrow(`${file}, which contains the key and the tenant`);
});

test("does not keep credentials that cannot be written completely", async () => {
  const state = temporaryFolder();
  mkdirSync(join(state, "credentials.json.new"));
  await expect(start({ state })).rejects.toThrow("credentials.json");
  expect(existsSync(join(state, "credentials.json"))).toBe(false);
});

test("accepts concurrent calls to close", async () => {
  const { plane } = await start();
  await Promise.all([plane.close(), plane.close()]);
});

const runner = { roll: async () => undefined, restart: async () => undefined };
const foldersIn = (state: string): string[] => readdirSync(join(state, "deployments")).sort();
const create = async ({ client }: Rig, name: string): Promise<string> =>
  (await client.post<Deployment>("/v2/deployments", creation(name))).body.id;

test("creates a folder for a deployment, and deletes it together with the deployment", async () => {
  const state = temporaryFolder();
  const rig = await start({ state, runner });
  const [kept, gone] = [await create(rig, "kept"), await create(rig, "gone")];
  expect(readdirSync(join(state, "deployments", kept)).sort()).toEqual(["data", "revisions"]);
  await rig.client.delete(`/v2/deployments/${gone}`);
  expect(foldersIn(state)).toEqual([kept]);
});

test("finishes the interrupted removal of a deployment's folder at the next start", async () => {
  const state = temporaryFolder();
  const before = await start({ state, runner });
  const [kept, gone] = [await create(before, "kept"), await create(before, "gone")];
  const removal = jest.spyOn(promises, "rm").mockRejectedValue(new Error("interrupted"));
  await before.client.delete(`/v2/deployments/${gone}`);
  await before.plane.close();
  removal.mockRestore();
  expect(foldersIn(state)).toHaveLength(2);
  const after = await start({ state, runner });
  expect((await after.client.get(`/v2/deployments/${gone}`)).status).toBe(404);
  await after.plane.close();
  expect(foldersIn(state)).toEqual([kept]);
  expect(after.faults).toEqual([]);
});

test("keeps folders that belong to no deployment, and reports them at every start", async () => {
  const state = temporaryFolder();
  const before = await start({ state, runner });
  const id = await create(before, "agent");
  const file = join(state, "deployments", id, "data", "threads");
  writeFileSync(file, "threads");
  await before.plane.close();
  // Follows the advice in the error about a damaged database.
  for (const name of readdirSync(state).filter((one) => one.startsWith("control-plane.sqlite")))
    renameSync(join(state, name), join(temporaryFolder(), name));
  for (const starts of [1, 2]) {
    const after = await start({ state, runner });
    await after.plane.close();
    expect(readFileSync(file, "utf8")).toBe("threads");
    expect([starts, ...after.faults.map(String)]).toEqual([
      starts,
      expect.stringContaining(`${join(state, "deployments", id)} does not belong to any deployment`),
    ]);
  }
});

test("rejects an empty database if deployment folders exist, and changes nothing", async () => {
  const state = temporaryFolder();
  const before = await start({ state, runner });
  const id = await create(before, "agent");
  await before.plane.close();
  const database = join(state, "control-plane.sqlite");
  writeFileSync(database, "");
  await expect(start({ state, runner })).rejects.toThrow(
    `${database} is damaged: it is empty, but ${join(state, "deployments")} contains data. Stop the control plane, then`,
  );
  expect(foldersIn(state)).toEqual([id]);
  expect(statSync(database).size).toBe(0);
});

test("accepts an empty database in a folder without deployments as new", async () => {
  const state = temporaryFolder();
  writeFileSync(join(state, "control-plane.sqlite"), "");
  expect((await (await start({ state })).client.get("/v2/deployments")).status).toBe(200);
});
