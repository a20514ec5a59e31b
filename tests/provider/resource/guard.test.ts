import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";
import type { Stack } from "../stack";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => {
  world.admin.clearFaults();
  world.forget();
});

type Kind = Parameters<AgentWorld["stack"]>[0];

/** One object of a kind, and another stack that changes it without the provider. */
interface Subject {
  kind: Kind;
  inputs: (change: string, adopt?: string) => object;
  /** Method and path of the requests that update and delete the object. */
  requests: { update: [string, string]; delete: [string, string] };
  /** Requests of a preview and of an update that does not pause. */
  expected: string[];
  /** Adopts the object for another stack. */
  takeAway: (id: string) => Promise<unknown>;
  /** Returns the object with its tag, or undefined if it does not exist. */
  read: (id: string) => Promise<unknown>;
}

const theirs = { agentserver_owner: "theirs", agentserver_resource: "acme/shop/prod:theirs" };
const located = (change: object) => ({ ...world.deployment, ...change });

function found(method: string, path: string): Promise<unknown> {
  return world.ask(method, path).catch(() => undefined);
}

const subjects: Record<string, () => Subject> = {
  assistant: () => {
    const assistantId = randomUUID();
    const path = `/assistants/${assistantId}`;
    return {
      kind: "assistant",
      inputs: (name, adopt) => located({ graph: "agent", assistantId, name, adopt }),
      requests: {
        update: ["PATCH", "/agents/:id/assistants/:assistant"],
        delete: ["DELETE", "/agents/:id/assistants/:assistant"],
      },
      expected: ["GET /assistants/ID", "PATCH /assistants/ID"],
      takeAway: () => world.ask("PATCH", path, { metadata: theirs, name: "theirs" }),
      read: () => found("GET", path),
    };
  },
  thread: () => {
    const threadId = randomUUID();
    const path = `/threads/${threadId}`;
    return {
      kind: "thread",
      inputs: (name, adopt) => located({ threadId, metadata: { name }, adopt }),
      requests: {
        update: ["PATCH", "/agents/:id/threads/:thread"],
        delete: ["DELETE", "/agents/:id/threads/:thread"],
      },
      expected: ["GET /threads/ID", "PATCH /threads/ID"],
      takeAway: () => world.ask("PATCH", path, { metadata: { ...theirs, name: "theirs" } }),
      read: () => found("GET", path),
    };
  },
  cron: () => {
    return {
      kind: "cron",
      inputs: (name, adopt) =>
        located({
          assistant: "agent",
          schedule: "0 9 * * *",
          input: { messages: [] },
          metadata: { name },
          adopt,
        }),
      requests: {
        update: ["PATCH", "/agents/:id/runs/crons/:cron"],
        delete: ["DELETE", "/agents/:id/runs/crons/:cron"],
      },
      expected: ["POST /runs/crons/search", "POST /runs/crons/search", "PATCH /runs/crons/ID"],
      takeAway: (id) => world.ask("PATCH", `/runs/crons/${id}`, { metadata: { ...theirs, name: "theirs" } }),
      read: async (id) =>
        (await world.ask<{ cron_id: string }[]>("POST", "/runs/crons/search", {})).find(
          ({ cron_id }) => cron_id === id,
        ),
    };
  },
  storeItem: () => storeSubject("storeItem", (value) => ({ key: "k", value })),
  storeItems: () => storeSubject("storeItems", (value) => ({ items: { k: value } })),
};

function storeSubject(kind: "storeItem" | "storeItems", inputsOf: (value: object) => object): Subject {
  const namespace = [randomUUID()];
  const put = (value: object) => world.ask("PUT", "/store/items", { namespace, key: "k", value });
  return {
    kind,
    inputs: (name, adopt) => located({ namespace, ...inputsOf({ name }), adopt }),
    requests: { update: ["PUT", "/agents/:id/store/items"], delete: ["DELETE", "/agents/:id/store/items"] },
    expected: [...Array<string>(4).fill("GET /store/items"), ...Array<string>(3).fill("PUT /store/items")],
    takeAway: () => put({ name: "theirs" }),
    read: () => found("GET", `/store/items?namespace=${namespace[0]}&key=k`),
  };
}

/** Makes another stack adopt the object while the provider waits before it repeats a request. */
function adoptDuringPause(subject: Subject, stack: Stack, request: keyof Subject["requests"]) {
  const [method, path] = subject.requests[request];
  const left: { object?: unknown } = {};
  world.admin.fault({ kind: "status", status: 429, retryAfter: 60, method, path });
  world.duringPause = async () => {
    await subject.takeAway(stack.id!);
    left.object = await subject.read(stack.id!);
  };
  return left;
}

describe.each(Object.keys(subjects))("a resource that another stack adopts (%s)", (name) => {
  const created = async () => {
    const subject = subjects[name]!();
    const stack = world.stack(subject.kind);
    expect(await stack.up(subject.inputs("first"))).toMatchObject({ step: "create" });
    world.forget();
    return { subject, stack };
  };

  test("is not changed by an update after a pause", async () => {
    const { subject, stack } = await created();
    const left = adoptDuringPause(subject, stack, "update");
    const { step, failure } = await stack.up(subject.inputs("second"));
    expect(step).toBe("refused");
    expect(failure!.message).toMatch(
      / was not changed because it is owned by the resource acme\/shop\/prod:theirs\.| were not written by this resource: k\./,
    );
    expect(left.object).toBeDefined();
    expect(await subject.read(stack.id!)).toEqual(left.object);
  });

  test("is not deleted after a pause", async () => {
    const { subject, stack } = await created();
    const left = adoptDuringPause(subject, stack, "delete");
    await stack.destroy();
    expect(world.log.lines("warning").join()).toMatch(/ (was|were) not deleted because /);
    expect(left.object).toBeDefined();
    const id = (left.object as { cron_id?: string }).cron_id ?? "";
    expect(await subject.read(id)).toEqual(left.object);
  });

  test('is reclaimed with `adopt: "always"` after a pause', async () => {
    const { subject, stack } = await created();
    const left = adoptDuringPause(subject, stack, "update");
    expect(await stack.up(subject.inputs("second", "always"))).toMatchObject({ step: "update" });
    expect(left.object).toBeDefined();
    expect(JSON.stringify(await subject.read(stack.id!))).not.toContain("theirs");
    await stack.destroy();
    expect(await subject.read(stack.id!).catch(() => undefined)).toBeFalsy();
  });

  test("is read only once in an update without a pause", async () => {
    const { subject, stack } = await created();
    expect(await stack.up(subject.inputs("second"))).toMatchObject({ step: "update" });
    const sent = world.admin
      .journal({ agents: true })
      .map(({ method, path }) => `${method} ${path.replace(/^\/agents\/[^/]+/, "")}`)
      .map((request) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replace(/\?.*/, ""));
    expect(sent).toEqual(subject.expected);
  });
});

test("keeps the thread of a run that another stack adopts during a pause", async () => {
  const stack = world.stack("run");
  await stack.up(located({ assistant: "agent", input: { messages: [] } }));
  const path = `/threads/${stack.outputs["ranOn"] as string}`;
  world.admin.fault({
    kind: "status",
    status: 429,
    retryAfter: 60,
    method: "DELETE",
    path: "/agents/:id/threads/:thread",
  });
  world.duringPause = () => world.ask("PATCH", path, { metadata: theirs });
  await stack.destroy();
  expect(await world.ask("GET", path)).toMatchObject({ metadata: theirs });
  expect(world.log.lines("warning").join()).toContain(
    "was not deleted because it is owned by the resource acme/shop/prod:theirs.",
  );
});

test("keeps items that another stack stores while its record is changed by an adoption", async () => {
  const namespace = [randomUUID()];
  const items = (all: object, adopt?: string) => located({ namespace, items: all, adopt });
  const [other, stack] = [world.stack("storeItems", "other", "prod"), world.stack("storeItems")];
  await other.up(items({ taken: { n: 1 }, kept: { n: 1 } }));
  world.admin.fault({
    kind: "status",
    status: 503,
    retryAfter: 60,
    method: "PUT",
    path: "/agents/:id/store/items",
  });
  world.duringPause = () => other.up(items({ taken: { n: 1 }, kept: { n: 1 }, more: { n: 1 } }));
  expect(await stack.up(items({ taken: { n: 2 } }, "always"))).toMatchObject({ step: "create" });
  expect(other.outputs["itemHashes"]).toHaveProperty("more");
  expect(await other.up(items({ kept: { n: 1 } }))).toMatchObject({ step: "update" });
  const { items: left } = await world.ask<{ items: { key: string; value: unknown }[] }>(
    "POST",
    "/store/items/search",
    { namespace_prefix: namespace },
  );
  expect(left.map(({ key }) => key).sort()).toEqual(["kept", "taken"]);
  expect(left.find(({ key }) => key === "taken")).toMatchObject({ value: { n: 2 } });
});

describe("a write that follows the pause of another request", () => {
  const daily = (hour: number) =>
    located({ assistant: "agent", schedule: `0 ${hour} * * *`, input: { messages: [] } });
  const findCron = async (id: string) => {
    const all = await world.ask<{ cron_id: string; metadata: object }[]>("POST", "/runs/crons/search", {});
    return all.find(({ cron_id }) => cron_id === id);
  };
  const deleteCron = ["DELETE", "/agents/:id/runs/crons/:cron"] as const;

  /** Returns the stack of a cron, and the ID of a duplicate with the same ownership tag. */
  const duplicated = async () => {
    const stack = world.stack("cron");
    await stack.up(daily(9));
    const { metadata } = (await findCron(stack.id!))!;
    const body = { assistant_id: "agent", schedule: "0 9 * * *", input: {}, metadata };
    const { cron_id: duplicate } = await world.ask<{ cron_id: string }>("POST", "/runs/crons", body);
    return { stack, duplicate };
  };
  const pauseAt = ([method, path]: readonly [string, string], work: () => Promise<unknown>) => {
    world.admin.fault({ kind: "status", status: 429, retryAfter: 60, method, path });
    world.duringPause = work;
  };

  test("does not change a cron that another stack adopts while a duplicate is being deleted", async () => {
    const { stack } = await duplicated();
    pauseAt(deleteCron, () => world.ask("PATCH", `/runs/crons/${stack.id}`, { metadata: theirs }));
    const { failure } = await stack.up(daily(10));
    expect(failure!.message).toContain("was not changed because it is owned by");
    expect(await findCron(stack.id!)).toMatchObject({ schedule: "0 9 * * *", metadata: theirs });
  });

  test("does not delete a duplicate that another stack adopts while the original is being deleted", async () => {
    const { stack, duplicate } = await duplicated();
    const { id } = stack;
    pauseAt(deleteCron, () => world.ask("PATCH", `/runs/crons/${duplicate}`, { metadata: theirs }));
    await stack.destroy();
    expect(await findCron(id!)).toBeUndefined();
    expect(await findCron(duplicate)).toMatchObject({ metadata: theirs });
  });

  test("does not record an item that another stack adopts while another item is being deleted", async () => {
    const namespace = [randomUUID()];
    const items = (all: object, adopt?: string) => located({ namespace, items: all, adopt });
    const [other, stack] = [world.stack("storeItems", "other", "prod"), world.stack("storeItems")];
    await stack.up(items({ shared: { n: 1 }, gone: { n: 1 } }));
    pauseAt(["DELETE", "/agents/:id/store/items"], () => other.up(items({ shared: { n: 1 } }, "always")));
    expect(await stack.up(items({ shared: { n: 1 } }))).toMatchObject({ step: "update" });
    await stack.destroy();
    expect(await found("GET", `/store/items?namespace=${namespace[0]}&key=shared`)).toMatchObject({
      value: { n: 1 },
    });
    expect(await found("GET", `/store/items?namespace=${namespace[0]}&key=gone`)).toBeFalsy();
    await other.destroy();
  });
});
