import {
  ListTasksRequest,
  type Part,
  SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { type Running, runDeployment } from "../emulator/gateway/deployment";
import { expectOperations, record } from "./recording";

// `jose` is required only for signed cards, and Jest cannot load it.
jest.mock("jose", () => ({}));

let running: Running;
let fetchImpl: typeof fetch;
let recorded: () => string[];
const cardPath = "/.well-known/agent-card.json?assistant_id=agent";
beforeAll(async () => {
  running = await runDeployment();
  recorded = record();
  fetchImpl = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-api-key", running.plane.apiKey);
    return fetch(url, { ...init, headers });
  };
});

/** Returns a client that supports all versions of the protocol, or one that supports only version 0.3. */
async function clientOf(version: "1.0" | "0.3"): Promise<Client> {
  const legacyCompat = { enabled: true };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
    }),
  );
  if (version === "1.0") return factory.createFromUrl(running.url + cardPath, "");
  const { supportedInterfaces: _, ...card } = (await (
    await fetchImpl(running.url + cardPath)
  ).json()) as Parameters<typeof factory.createFromAgentCard>[0];
  return factory.createFromAgentCard(card as typeof card & { supportedInterfaces: [] });
}

const saying = (text: string, more: object = {}, configuration?: object) =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
    configuration,
  });
const valueOf = (part: Part): unknown => part.content?.value;
const contentOf = ({ artifacts }: Task) => valueOf(artifacts[0]!.parts[0]!);

describe.each(["1.0", "0.3"] as const)("A2A %s, with the official client", (version) => {
  let client: Client;
  const send = async (...message: Parameters<typeof saying>) =>
    (await client.sendMessage(saying(...message))) as Task;
  beforeAll(async () => {
    client = await clientOf(version);
  });

  test("reports the version in the agent card", () => {
    expect(client.protocolVersion).toBe(version);
  });

  test("creates a task for a message, and keeps the messages of a context", async () => {
    const first = await send("hi");
    expect(contentOf(first)).toBe("heard hi");
    const second = await send("again", { contextId: first.contextId });
    expect(second.contextId).toBe(first.contextId);
    const { history } = await client.getTask({ tenant: "", id: second.id, historyLength: 4 });
    expect(history.map(({ parts }) => valueOf(parts[0]!))).toEqual([
      "hi",
      "heard hi",
      "again",
      "heard again",
    ]);
  });

  test("does not change a task when its context is continued", async () => {
    const first = await send("hi");
    await send("ask", { contextId: first.contextId });
    const get = () => client.getTask({ tenant: "", id: first.id, historyLength: 2 });
    const found = await get();
    expect(found).toMatchObject({ id: first.id, status: first.status, artifacts: first.artifacts });
    expect(found.history.map(({ parts }) => valueOf(parts[0]!))).toEqual(["hi", "heard hi"]);
    expect(await get()).toEqual(found);
    await expect(client.getTask({ tenant: "", id: crypto.randomUUID() })).rejects.toThrow("Task not found");
  });

  test("streams the task, its messages, its result, and its end", async () => {
    const seen: StreamResponse[] = [];
    for await (const event of client.sendMessageStream(saying("hi"))) seen.push(event);
    expect(seen.map(({ payload }) => payload!.$case)).toEqual([
      "task",
      "statusUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    const [task, , said, artifact, end] = seen.map(({ payload }) => payload!.value);
    const { id } = task as Task;
    expect(said).toMatchObject({ taskId: id, status: { state: TaskState.TASK_STATE_WORKING } });
    expect(JSON.stringify(said)).toContain("heard hi");
    expect(end).toMatchObject({ taskId: id, status: { state: TaskState.TASK_STATE_COMPLETED } });
    const { artifacts } = await client.getTask({ tenant: "", id });
    expect(artifacts).toEqual([(artifact as { artifact: unknown }).artifact]);
    expect(contentOf({ artifacts } as Task)).toBe("heard hi");
  });

  test("resumes a task with the response to its question", async () => {
    const asking = await send("ask");
    expect(asking.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(contentOf(asking)).toMatchObject({ value: "what?" });
    const { id, contextId } = asking;
    const told = await send("forty-two", { contextId, taskId: id });
    expect([told.id, told.status?.state, contentOf(told)]).toEqual([
      id,
      TaskState.TASK_STATE_COMPLETED,
      "told forty-two",
    ]);
    expect(await client.getTask({ tenant: "", id })).toMatchObject({ id, artifacts: told.artifacts });
    await expect(send("more", { contextId, taskId: id })).rejects.toThrow("terminal task");
  });

  test("reports why a task failed", async () => {
    const failed = await send("fail");
    expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(failed.status!.message!.parts.map(valueOf)).toEqual(["Error: asked to fail"]);
  });

  test("cancels only active tasks", async () => {
    const { id } = await send("endlessly", {}, { returnImmediately: true });
    const state = async () => (await client.getTask({ tenant: "", id })).status?.state;
    for (let at = await state(); at !== TaskState.TASK_STATE_WORKING;) at = await state();
    const cancelled = await client.cancelTask({ tenant: "", id, metadata: undefined });
    expect([cancelled.id, cancelled.status?.state]).toEqual([id, TaskState.TASK_STATE_CANCELED]);
    expect(await state()).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow(
      "not cancelable",
    );
  });
});

test("lists the tasks of a context and of an assistant page by page in version 1.0", async () => {
  const client = await clientOf("1.0");
  const { id, contextId } = (await client.sendMessage(saying("hi"))) as Task;
  const { id: asking } = (await client.sendMessage(saying("ask", { contextId }))) as Task;
  const list = (params: object) => client.listTasks(ListTasksRequest.fromJSON(params));
  const idsOf = ({ tasks }: { tasks: Task[] }) => tasks.map((task) => task.id);
  expect(idsOf(await list({ contextId }))).toEqual([asking, id]);
  expect(idsOf(await list({ contextId, status: "TASK_STATE_INPUT_REQUIRED" }))).toEqual([asking]);
  const seen: string[] = [];
  for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
    const page = await list({ pageSize: 1, pageToken });
    expect(page.tasks).toHaveLength(1);
    seen.push(...idsOf(page));
    pageToken = page.nextPageToken === "" ? undefined : page.nextPageToken;
    expect(seen.length).toBeLessThanOrEqual(page.totalSize);
  }
  expect(seen.slice(0, 2)).toEqual([asking, id]);
  expect(new Set(seen).size).toBe(seen.length);
});

test("calls the operations listed in docs/coverage.md", () => expectOperations("A2A JS", recorded()));
