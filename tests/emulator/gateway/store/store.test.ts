import type { StoreItem, Thread, ThreadState, Values } from "../../answers";
import { VirtualClock } from "../../../../emulator/index";
import { saying } from "../agent";
import { type Running, runDeployment, until } from "../deployment";

const clock = new VirtualClock();
let running: Running;
beforeAll(async () => {
  running = await runDeployment({ clock });
});

const put = (key: string, more: object = {}) =>
  running.client.send("PUT", "/store/items", { namespace: ["a", "b"], key, value: { key }, ...more });
const get = (key: string, more = "") =>
  running.client.get(`/store/items?namespace=a&namespace=b&key=${key}${more}`);
const minutes = (count: number) => clock.advance(count * 60_000);

test("creates, reads, searches, lists, and deletes items", async () => {
  expect((await put("one")).status).toBe(204);
  await put("two", { value: { of: "two" } });
  const item = { namespace: ["a", "b"], key: "one", value: { key: "one" } };
  expect((await get("one")).body).toMatchObject(item);
  expect((await running.client.get("/store/items?namespace=a.b&key=one")).body).toMatchObject(item);
  const search = async (body: object) =>
    (await running.client.post<{ items: StoreItem[] }>("/store/items/search", body)).body.items.map(
      ({ key }) => key,
    );
  expect(await search({})).toEqual(["two", "one"]);
  await put("one");
  expect(await search({ namespace_prefix: null })).toEqual(["one", "two"]);
  expect(await search({ namespace_prefix: ["a"], limit: 1, offset: 1 })).toEqual(["two"]);
  expect(await search({ filter: { of: "two" } })).toEqual(["two"]);
  expect((await running.client.post("/store/namespaces", {})).body).toEqual({ namespaces: [["a", "b"]] });
  expect((await running.client.post("/store/namespaces", { max_depth: 1 })).body).toEqual({
    namespaces: [["a"]],
  });
  const removal = { namespace: ["a", "b"], key: "two" };
  expect((await running.client.send("DELETE", "/store/items", removal)).status).toBe(204);
  expect((await running.client.send("DELETE", "/store/items", removal)).status).toBe(204);
  expect(await get("two")).toMatchObject({ status: 200, body: null });
});

test("rejects invalid items", async () => {
  const refused = async (method: string, path: string, body?: unknown) => {
    const answer = await running.client.send(method, path, body);
    expect(answer.body).toEqual({ detail: expect.any(String) });
    return answer.status;
  };
  expect(await refused("PUT", "/store/items", { namespace: ["a.b"], key: "k", value: {} })).toBe(422);
  expect(await refused("PUT", "/store/items", { namespace: [], key: "k", value: {} })).toBe(422);
  expect(await refused("PUT", "/store/items", { namespace: ["a"], key: "k", value: "text" })).toBe(422);
  expect(await refused("PUT", "/store/items", "{")).toBe(422);
  const reserved = { namespace: ["langgraph", "x"], key: "k", value: {} };
  expect(await refused("PUT", "/store/items", reserved)).toBe(400);
  expect(await refused("GET", "/store/items?key=k")).toBe(400);
  expect(await refused("GET", "/store/items?namespace=a")).toBe(422);
  expect(await refused("POST", "/store/items/search", { limit: 0 })).toBe(422);
});

test("accepts a delete without a namespace", async () => {
  expect((await running.client.send("DELETE", "/store/items", { key: "k" })).status).toBe(204);
});

test("expires an item after its time to live, which each read renews", async () => {
  await put("short", { ttl: 10 });
  await put("long");
  await minutes(9);
  expect((await get("short", "&refresh_ttl=false")).body).not.toBeNull();
  expect((await get("short")).body).not.toBeNull();
  await minutes(9);
  expect((await get("short", "&refresh_ttl=false")).body).not.toBeNull();
  await minutes(1);
  expect((await get("short")).body).toBeNull();
  expect((await get("long")).body).not.toBeNull();
});

test("keeps an item permanently after it is stored again without a time to live", async () => {
  await put("kept", { ttl: 10 });
  await put("kept");
  await minutes(60);
  expect((await get("kept")).body).not.toBeNull();
});

test("shares items with graphs until the items expire", async () => {
  const ask = async (content: string) =>
    (await running.client.post<Values>("/runs/wait", saying(content))).body.messages.at(-1)!.content;
  await running.client.send("PUT", "/store/items", {
    namespace: ["memories"],
    key: "given",
    value: { value: "from-outside" },
    ttl: 5,
  });
  expect(await ask("recall given")).toBe("from-outside");
  await ask("remember own from-inside");
  expect((await running.client.get<StoreItem>("/store/items?namespace=memories&key=own")).body.value).toEqual(
    { value: "from-inside" },
  );
  await ask("scribble copied as-it-was-put");
  expect(await ask("recall copied")).toBe("as-it-was-put");
  expect(await ask("recall own")).toBe("from-inside");
  await minutes(5);
  await until(
    () => running.client.post<Values>("/runs/wait", saying("recall given")),
    ({ body }) => body.messages.at(-1)!.content === "nothing",
  );
});

test("deletes or prunes threads after their time to live", async () => {
  const made = async (ttl: object) => (await running.client.post<Thread>("/threads", { ttl })).body.thread_id;
  const gone = await made({ strategy: "delete", ttl: 30 });
  const pruned = await made({ strategy: "keep_latest", ttl: 30 });
  await running.client.post(`/threads/${pruned}/runs/wait`, saying("hi"));
  const shown = (await running.client.get<Thread>(`/threads/${gone}?include=ttl`)).body.ttl;
  expect(shown).toEqual({ strategy: "delete", ttl_minutes: 30, expires_at: expect.any(String) });
  expect(Date.parse(shown.expires_at)).toBe(clock.now() + 30 * 60_000);
  await minutes(30);
  await until(
    () => running.client.get(`/threads/${gone}`),
    ({ status }) => status === 404,
  );
  await until(
    () => running.client.get<object[]>(`/threads/${pruned}/history`),
    ({ body }) => body.length === 1,
  );
  const state = await running.client.get<ThreadState>(`/threads/${pruned}/state`);
  expect(state.body.values.messages.at(-1)!.content).toBe("heard hi");
});
