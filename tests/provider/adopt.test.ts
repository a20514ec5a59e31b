import { randomUUID } from "node:crypto";
import { listenerKind } from "../../provider/listener/kind";
import { SessionPool } from "../../provider/session/session-pool";
import { AgentWorld } from "./agent-world";
import { Stack } from "./stack";
import { providerOf } from "./test-host";
import { agent, World } from "./world";

/** A resource kind, with the operations that these tests need. */
interface Subject {
  stack: (name?: string, stack?: string) => Stack;
  /** Inputs of one object, which are the same for all stacks. */
  inputs: (change?: object) => object;
  /** Creates the object without Pulumi. Undefined if this is not possible for the kind. */
  createUntagged?: () => Promise<void>;
  /** Removes the ownership tag, or replaces the owner in it. */
  retag?: (stack: Stack, owner: string | null) => Promise<void>;
  /** True if the object exists. */
  exists: () => Promise<boolean>;
  /** Returns the writes since the last call. */
  writes: () => string[];
  /** Looks up the ID of the object, for kinds whose IDs the server assigns. */
  locate?: () => Promise<void>;
}

let agents: AgentWorld;
beforeAll(async () => {
  agents = await AgentWorld.start();
});

function found(path: string): Promise<boolean> {
  return agents.ask("GET", path).then(
    () => true,
    () => false,
  );
}

const subjects: Record<string, () => Subject | Promise<Subject>> = {
  deployment: async () => {
    const plane = await World.start();
    type Secrets = { name: string; value: string }[];
    const listed = async () =>
      ((await plane.request("GET", "/v2/deployments")) as { resources: { id: string; secrets: Secrets }[] })
        .resources;
    let known = 0;
    return {
      stack: (name = randomUUID(), stack = "dev") => {
        const type = "pulumi-nodejs:dynamic/agentserver:Deployment";
        return plane.stack({}, `urn:pulumi:${stack}::shop::${type}::${name}`);
      },
      inputs: ({ metadata, ...change }: { metadata?: object } = {}) => {
        const sourceConfig = { ...agent().sourceConfig, buildOnPush: metadata !== undefined };
        return agent({ sourceConfig, ...change });
      },
      createUntagged: async () =>
        void (await plane.request("POST", "/v2/deployments", {
          name: "support-agent",
          source: "github",
          source_config: { repo_url: "https://git.example.com/agents.git", deployment_type: "prod" },
          source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" },
          secrets: [],
        })),
      retag: async (_stack, owner) => {
        const [{ id, secrets }] = (await listed()) as [{ id: string; secrets: Secrets }];
        const others = secrets.filter(({ name }) => name !== "AGENTSERVER_OWNER");
        const value = `${owner}/1/2026-01-01T00:00:00.000Z/acme/shop/prod/agent/.`;
        await plane.request("PATCH", `/v2/deployments/${id}`, {
          secrets: owner === null ? others : [...others, { name: "AGENTSERVER_OWNER", value }],
        });
      },
      exists: async () => (await listed()).length > 0,
      writes: () => {
        const since = plane.writes.slice(known);
        known = plane.writes.length;
        return since.map(({ method }) => method);
      },
    };
  },
  assistant: () => {
    const id = randomUUID();
    return {
      stack: (name, stack) => agents.stack("assistant", name, stack),
      inputs: (change) => ({ ...agents.deployment, graph: "agent", assistantId: id, ...change }),
      createUntagged: async () =>
        void (await agents.ask("POST", "/assistants", { assistant_id: id, graph_id: "agent" })),
      retag: async (_stack, owner) =>
        void (await agents.ask("PATCH", `/assistants/${id}`, { metadata: { agentserver_owner: owner } })),
      exists: () => found(`/assistants/${id}`),
      writes: () => agents.writes(),
    };
  },
  thread: () => {
    const id = randomUUID();
    return {
      stack: (name, stack) => agents.stack("thread", name, stack),
      inputs: (change) => ({ ...agents.deployment, threadId: id, ...change }),
      createUntagged: async () => void (await agents.ask("POST", "/threads", { thread_id: id })),
      retag: async (_stack, owner) =>
        void (await agents.ask("PATCH", `/threads/${id}`, { metadata: { agentserver_owner: owner } })),
      exists: () => found(`/threads/${id}`),
      writes: () => agents.writes(),
    };
  },
  cron: async () => {
    // The agent server is shared, so each subject has its own schedule.
    const schedule = `${(minute += 1) % 60} 9 * * *`;
    interface Cron {
      cron_id: string;
      schedule: string;
    }
    const own = async () =>
      (await agents.ask<Cron[]>("POST", "/runs/crons/search", {})).find((one) => one.schedule === schedule);
    let cronId: string | undefined;
    return {
      stack: (name, stack) => agents.stack("cron", name, stack),
      inputs: (change) => ({ ...agents.deployment, assistant: "agent", schedule, cronId, ...change }),
      createUntagged: async () =>
        void (await agents.ask("POST", "/runs/crons", { assistant_id: "agent", schedule, input: {} })),
      retag: async (stack, owner) =>
        void (await agents.ask("PATCH", `/runs/crons/${stack.id}`, {
          metadata: { agentserver_owner: owner },
        })),
      locate: async () => void (cronId = (await own())?.cron_id),
      exists: async () => (await own()) !== undefined,
      writes: () => agents.writes(),
    };
  },
  storeItem: () => storeSubject("storeItem", (value) => ({ key: "k", value })),
  storeItems: () => storeSubject("storeItems", (value) => ({ items: { k: value } })),
  listener: async () => {
    const plane = await World.start({ dialect: "langsmith" });
    const computeId = randomUUID();
    let known = 0;
    const listed = async () =>
      ((await plane.request("GET", "/v2/listeners")) as { resources: { compute_id: string }[] }).resources;
    return {
      stack: (name = randomUUID(), stack = "dev") => {
        const sessions = new SessionPool({ env: plane.environment, clock: plane.time, random: () => 0.5 });
        const host = providerOf(listenerKind(), { log: plane.log, sessions });
        const type = "pulumi-nodejs:dynamic/agentserver:Listener";
        return new Stack(plane, host, `urn:pulumi:${stack}::shop::${type}::${name}`);
      },
      inputs: ({ metadata, ...change }: { metadata?: object } = {}) => ({
        computeId,
        namespaces: metadata ? ["agents", "more"] : ["agents"],
        ...change,
      }),
      createUntagged: async () =>
        void (await plane.request("POST", "/v2/listeners", {
          compute_type: "k8s",
          compute_id: computeId,
          compute_config: { k8s_namespaces: ["agents"] },
        })),
      exists: async () => (await listed()).some(({ compute_id: id }) => id === computeId),
      writes: () => {
        const since = plane.writes.slice(known);
        known = plane.writes.length;
        return since.map(({ method }) => method);
      },
    };
  },
};

let minute = 0;

/** Returns the subject for a store item, whose value contains the tag. */
function storeSubject(kind: "storeItem" | "storeItems", inputsOf: (value: object) => object): Subject {
  const namespace = [randomUUID()];
  const write = async (value: object) =>
    void (await agents.ask("PUT", "/store/items", { namespace, key: "k", value }));
  return {
    stack: (name, stack) => agents.stack(kind, name, stack),
    inputs: ({ metadata = { n: 1 }, ...change }: { metadata?: object } = {}) => ({
      ...agents.deployment,
      namespace,
      ...inputsOf(metadata),
      ...change,
    }),
    createUntagged: () => write({ n: 1 }),
    retag: () => write({ theirs: true }),
    exists: () =>
      agents
        .ask("GET", `/store/items?namespace=${namespace[0]}&key=k`)
        .then((item) => item !== null)
        .catch(() => false),
    writes: () => agents.writes(),
  };
}

const modes = ["never", "ifOwned", "always"] as const;
type Expected = "create" | "refused";
const onCreate = (never: Expected, ifOwned: Expected, always: Expected) => ({ never, ifOwned, always });
/** True if the API stores tags, or if something else identifies the owner. */
const showsOwner = (name: string) => name !== "listener";
const isTagged = (name: string) => showsOwner(name) && !name.startsWith("storeItem");

describe.each(Object.keys(subjects))("adoption (%s)", (name) => {
  const start = async () => subjects[name]!();

  /** Creates a resource whose object already exists. `before` creates the object. */
  async function createAfter(
    mode: (typeof modes)[number],
    before: (subject: Subject) => Promise<Stack | void>,
  ) {
    const subject = await start();
    const left = await before(subject);
    await subject.locate?.();
    subject.writes();
    const stack = left ?? subject.stack();
    const { step, failure } = await stack.up(subject.inputs({ adopt: mode, metadata: { changed: true } }));
    if (step === "refused") {
      expect(failure!.message).toMatch(
        / already exists? and .*Adopt (it|them) \(`adopt: "(always|ifOwned)"`\), .*or delete (it|them)\./,
      );
      // A rejected create sends at most the request that the server rejected.
      expect(subject.writes().filter((write) => !write.startsWith("POST"))).toEqual([]);
    }
    expect(await subject.exists()).toBe(true);
    return step;
  }

  test.each(modes)("creates the object if it does not exist (adopt: %s)", async (mode) => {
    const subject = await start();
    expect(await subject.stack().up(subject.inputs({ adopt: mode }))).toMatchObject({ step: "create" });
  });

  test.each(modes)("adopts an object without a tag only if the mode allows it (adopt: %s)", async (mode) => {
    const expected = onCreate("refused", "refused", "create")[mode];
    expect(await createAfter(mode, ({ createUntagged }) => createUntagged!())).toBe(expected);
  });

  test.each(modes)("adopts another stack's object only if the mode allows it (adopt: %s)", async (mode) => {
    const expected = onCreate("refused", "refused", "create")[mode];
    const created = createAfter(mode, async ({ stack, inputs }) => {
      await stack("other", "prod").up(inputs());
    });
    expect(await created).toBe(expected);
  });

  test.each(modes)(
    "adopts the object of an interrupted create only if the mode allows it (adopt: %s)",
    async (mode) => {
      const expected = showsOwner(name)
        ? onCreate("refused", "create", "create")[mode]
        : onCreate("refused", "refused", "create")[mode];
      const created = createAfter(mode, async ({ stack, inputs }) => {
        const resource = randomUUID();
        await stack(resource).up(inputs());
        // A new process, and a state that does not contain the resource.
        return stack(resource);
      });
      expect(await created).toBe(expected);
    },
  );

  if (!showsOwner(name)) return;

  test.each(modes)(
    "updates another resource's object only if the mode allows it (adopt: %s)",
    async (mode) => {
      const subject = await start();
      const stack = subject.stack();
      await stack.up(subject.inputs({ adopt: mode }));
      await subject.retag!(stack, "another-owner");
      subject.writes();
      const changed = subject.inputs({ adopt: mode, metadata: { changed: true } });
      const { step, failure, checkFailures } = await stack.up(changed);
      expect(step).toBe(mode === "always" ? "update" : "refused");
      if (mode !== "always") {
        expect(failure?.message ?? checkFailures[0]!.reason).toMatch(
          / was not changed because it is owned by | were not written by this resource/,
        );
        expect(subject.writes()).toEqual([]);
      }
      await stack.destroy();
      expect(await subject.exists()).toBe(mode !== "always");
    },
  );

  if (!isTagged(name)) return;

  test.each(modes)("restores a missing tag in an update (adopt: %s)", async (mode) => {
    const subject = await start();
    const stack = subject.stack();
    await stack.up(subject.inputs({ adopt: mode }));
    await subject.retag!(stack, null);
    expect(await stack.up(subject.inputs({ adopt: mode, metadata: { a: 1 } }))).toMatchObject({
      step: "update",
    });
    await stack.destroy();
    expect(await subject.exists()).toBe(false);
  });

  // An adoption may have deferred the tag of a deployment to the next revision.
  if (name === "deployment") return;

  test.each(modes)("does not delete an object that has lost its tag (adopt: %s)", async (mode) => {
    const subject = await start();
    const stack = subject.stack();
    await stack.up(subject.inputs({ adopt: mode }));
    await subject.retag!(stack, null);
    await stack.destroy();
    expect(await subject.exists()).toBe(true);
    expect(agents.log.lines("warning").at(-1)).toMatch(/ was not deleted because it has no ownership tag\.$/);
  });
});
