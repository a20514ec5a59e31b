import { Client } from "@langchain/langgraph-sdk";
import type { Served } from "./deployment";
import { noting, unvisited } from "./visits";

/** Data that a walk creates for later checks. */
export interface Footprints {
  threadId: string;
  assistantId: string;
  cronId: string;
  values: unknown;
}

const input = (content: string) => ({ messages: [{ role: "user", content }] });

/** Returns the official client for a deployment, without retries. */
export const officialClient = (url: string, { apiKey }: Pick<Served, "apiKey">) =>
  new Client({ apiUrl: url, apiKey, callerOptions: { maxRetries: 0 } });

/**
 * Calls every method of the official client for assistants, threads, runs, crons, and the store, except for
 * `exceptions`.
 */
export async function walk(whole: Client): Promise<Footprints> {
  const { client, visited } = noting(whole);
  const assistantId = await walkAssistants(client);
  const { threadId, values } = await walkThreads(client);
  await walkProtocol(client);
  await walkRuns(client);
  const cronId = await walkCrons(client);
  await walkStore(client);
  expect(unvisited(whole, visited)).toEqual([]);
  return { assistantId, threadId, cronId, values };
}

async function walkAssistants({ assistants }: Client): Promise<string> {
  const made = await assistants.create({ graphId: "agent", name: "Walker", metadata: { walk: "1" } });
  const id = made.assistant_id;
  expect(await assistants.get(id)).toMatchObject({ graph_id: "agent", name: "Walker", version: 1 });
  const changed = await assistants.update(id, { name: "Runner", context: { mood: "brisk" } });
  expect(changed).toMatchObject({ version: 2, name: "Runner", context: { mood: "brisk" } });
  expect(changed.config).toMatchObject({ configurable: { mood: "brisk" } });
  expect((await assistants.getVersions(id)).map(({ version }) => version)).toEqual([2, 1]);
  expect(await assistants.setLatest(id, 1)).toMatchObject({ version: 1, name: "Walker", context: {} });
  expect(await assistants.setLatest(id, 2)).toMatchObject({ version: 2, name: "Runner" });
  const found = await assistants.search({ metadata: { walk: "1" }, limit: 1000 });
  expect(found.map(({ assistant_id }) => assistant_id)).toContain(id);
  expect(await assistants.count({ metadata: { walk: "1" } })).toBe(found.length);
  expect((await assistants.getGraph("agent")).nodes.map((node) => node.id)).toContain("answer");
  expect(await assistants.getSubgraphs("agent")).toEqual({});
  expect(await assistants.getSubgraphs("agent", { namespace: "none" })).toEqual({});
  expect(await assistants.getSchemas("agent")).toMatchObject({ graph_id: "agent", input_schema: {} });
  const other = await assistants.create({ graphId: "agent" });
  expect(await assistants.delete(other.assistant_id)).toBeDefined();
  await expect(assistants.get(other.assistant_id)).rejects.toMatchObject({ status: 404 });
  return id;
}

async function walkThreads({ threads, runs }: Client): Promise<{ threadId: string; values: unknown }> {
  const { thread_id: id } = await threads.create({ metadata: { walk: "1" }, graphId: "agent" });
  expect(await threads.get(id)).toMatchObject({ status: "idle", metadata: { walk: "1" } });
  expect(await threads.update(id, { metadata: { more: "2" } })).toMatchObject({
    metadata: { walk: "1", more: "2" },
  });
  await runs.wait(id, "agent", { input: input("first") });
  const state = await threads.getState<{ messages: { content: string }[] }>(id);
  expect(state.values.messages.map(({ content }) => content)).toEqual(["first", "heard first"]);
  await threads.updateState(id, { values: input("by hand"), asNode: "answer" });
  const history = await threads.getHistory(id, { limit: 100 });
  expect(history.length).toBeGreaterThan(3);
  const earlier = history.at(-1)!;
  expect(await threads.getState(id, earlier.checkpoint)).toMatchObject({ checkpoint: earlier.checkpoint });
  expect(await threads.getState(id, earlier.checkpoint.checkpoint_id!)).toMatchObject({
    checkpoint: { checkpoint_id: earlier.checkpoint.checkpoint_id },
  });
  const copy = await threads.copy(id);
  expect((await threads.getState(copy.thread_id)).values).toEqual((await threads.getState(id)).values);
  const found = await threads.search({ metadata: { walk: "1" }, limit: 100 });
  expect(found.map(({ thread_id }) => thread_id)).toEqual(expect.arrayContaining([id, copy.thread_id]));
  expect(await threads.count({ metadata: { walk: "1" } })).toBe(found.length);
  expect(await threads.prune([copy.thread_id])).toEqual({ pruned_count: 1 });
  const gone = await threads.create();
  await threads.delete(gone.thread_id);
  await expect(threads.get(gone.thread_id)).rejects.toMatchObject({ status: 404 });
  return { threadId: id, values: (await threads.getState(id)).values };
}

/** Calls the methods of the newer protocol, which starts runs and exposes them through a single handle. */
async function walkProtocol({ threads }: Client): Promise<void> {
  const stream = threads.stream({ assistantId: "agent" });
  await stream.run.start({ input: input("newly") });
  expect(await stream.output).toMatchObject({ messages: [{}, { content: "heard newly" }] });
  await stream.close();
}

async function walkRuns({ threads, runs }: Client): Promise<void> {
  const { thread_id: id } = await threads.create();
  const watched = watch(threads.joinStream(id, { lastEventId: "-" }), 1);
  const run = await runs.create(id, "agent", { input: input("background") });
  expect(await runs.join(id, run.run_id)).toMatchObject({ messages: [{}, { content: "heard background" }] });
  expect(await watched).toEqual(["metadata"]);
  expect(await runs.get(id, run.run_id)).toMatchObject({ status: "success", multitask_strategy: "enqueue" });
  const events: string[] = [];
  for await (const { event } of runs.stream(id, "agent", {
    input: input("s"),
    streamMode: ["values", "updates"],
  }))
    events.push(event);
  expect(events[0]).toBe("metadata");
  expect(events).toEqual(expect.arrayContaining(["values", "updates"]));
  expect(await runs.list(id)).toHaveLength(2);
  const resumable = await runs.create(id, "agent", { input: input("again"), streamResumable: true });
  await runs.join(id, resumable.run_id);
  const replayed: string[] = [];
  for await (const { event } of runs.joinStream(id, resumable.run_id, { lastEventId: "-1" }))
    replayed.push(event);
  expect(replayed[0]).toBe("metadata");
  await runs.delete(id, run.run_id);
  await expect(runs.get(id, run.run_id)).rejects.toMatchObject({ status: 404 });
  const endless = await runs.create(id, "agent", { input: input("endlessly") });
  await runs.cancel(id, endless.run_id, true);
  expect(await runs.get(id, endless.run_id)).toMatchObject({ status: "interrupted" });
  const second = await runs.create(id, "agent", { input: input("endlessly") });
  await runs.cancelMany({ threadId: id, runIds: [second.run_id] });
  await runs.join(id, second.run_id);
  expect(await runs.wait(null, "agent", { input: input("alone") })).toMatchObject({
    messages: [{}, { content: "heard alone" }],
  });
  const alone: string[] = [];
  for await (const { event } of runs.stream(null, "agent", { input: input("alone") })) alone.push(event);
  expect(alone).toEqual(expect.arrayContaining(["metadata", "values"]));
  expect(await runs.create(null, "agent", { input: input("alone") })).toHaveProperty("run_id");
  const batch = await runs.createBatch([{ assistantId: "agent", input: input("b") }]);
  expect(batch).toHaveLength(1);
}

/** Returns the names of the first events in a stream. */
async function watch(stream: AsyncIterable<{ event: string }>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const { event } of stream) if (seen.push(event) === count) break;
  return seen;
}

async function walkCrons({ crons, threads }: Client): Promise<string> {
  const { thread_id: id } = await threads.create();
  const made = await crons.create("agent", {
    schedule: "0 3 1 1 *",
    input: input("c"),
    metadata: { walk: "1" },
  });
  const onThread = await crons.createForThread(id, "agent", { schedule: "*/5 * * * *", input: input("c") });
  const cronId = (made as { cron_id?: string }).cron_id!;
  const threadCron = (onThread as { cron_id?: string }).cron_id!;
  expect(onThread).toMatchObject({ thread_id: id });
  const found = await crons.search({ metadata: { walk: "1" }, limit: 100 });
  expect(found.map(({ cron_id }) => cron_id)).toContain(cronId);
  expect(await crons.count({ metadata: { walk: "1" } })).toBe(found.length);
  expect(await crons.update(cronId, { schedule: "0 4 1 1 *" })).toMatchObject({ schedule: "0 4 1 1 *" });
  await crons.delete(threadCron);
  expect(await crons.search({ threadId: id })).toEqual([]);
  return cronId;
}

async function walkStore({ store }: Client): Promise<void> {
  await store.putItem(["walk", "deep"], "key", { a: 1 });
  expect(await store.getItem(["walk", "deep"], "key")).toMatchObject({ value: { a: 1 } });
  expect(await store.getItem(["walk", "deep"], "none")).toBeNull();
  expect((await store.searchItems(["walk"])).items.map(({ key }) => key)).toContain("key");
  expect((await store.listNamespaces({ prefix: ["walk"] })).namespaces).toContainEqual(["walk", "deep"]);
  await store.putItem(["walk", "deep"], "short", { b: 2 });
  await store.deleteItem(["walk", "deep"], "short");
  expect(await store.getItem(["walk", "deep"], "short")).toBeNull();
}

/** Checks that all data of an earlier walk still exists. */
export async function retrace(
  client: Client,
  { threadId, assistantId, cronId, values }: Footprints,
): Promise<void> {
  expect((await client.threads.getState(threadId)).values).toEqual(values);
  expect((await client.threads.getHistory(threadId)).length).toBeGreaterThan(3);
  expect(await client.assistants.get(assistantId)).toMatchObject({ version: 2, name: "Runner" });
  expect(await client.assistants.getVersions(assistantId)).toHaveLength(2);
  expect((await client.crons.search({ limit: 100 })).map(({ cron_id }) => cron_id)).toContain(cronId);
  expect(await client.store.getItem(["walk", "deep"], "key")).toMatchObject({ value: { a: 1 } });
  for (const { status } of await client.threads.search({ limit: 1000 })) expect(status).not.toBe("busy");
}
