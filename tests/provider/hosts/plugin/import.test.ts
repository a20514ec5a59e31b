import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { asSecret } from "../../../../provider/engine/sentinels";
import { type KindName, kinds } from "../../../../provider/kinds";
import type { Props } from "../../../../provider/resource/inputs/values";
import { SessionPool } from "../../../../provider/session/session-pool";
import { AgentWorld } from "../../agent-world";
import { agent, World } from "../../world";
import { connect, propsIn, send, struct } from "./client";

const { secrets: _secrets, ...declared } = agent();
const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

/** An object that is imported by its ID, and the subsequent calls of the engine. */
class Import {
  private constructor(
    private readonly client: ResourceProviderClient,
    private readonly urn: string,
    readonly id: string,
    readonly inputs: Struct,
    public state: Struct,
  ) {}

  static async of(
    { environment: env, time: clock, log }: Pick<World, "environment" | "time" | "log">,
    urn: string,
    importId: string,
    kind: KindName = "provider",
  ): Promise<Import> {
    const sessions = new SessionPool({ env, clock, random: () => 0.5 });
    const kindOf = () => kinds[kind]({});
    const client = await connect({ kindOf, sessions, log, schema: () => "{}" });
    const found = await send(client, "read", new messages.ReadRequest().setUrn(urn).setId(importId));
    return new Import(client, urn, found.getId(), found.getInputs()!, found.getProperties()!);
  }

  /** Checks the inputs of a program and returns the result. */
  async check(news: object): Promise<Struct> {
    const request = new messages.CheckRequest().setUrn(this.urn).setOlds(this.inputs).setNews(struct(news));
    const response = await send(this.client, "check", request);
    expect(response.getFailuresList()).toEqual([]);
    return response.getInputs()!;
  }

  async changes(news: Struct): Promise<messages.DiffResponse.DiffChanges> {
    const { client, urn, id, state } = this;
    const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(state).setNews(news);
    return (await send(client, "diff", request)).getChanges();
  }

  async replacements(news: Struct): Promise<string[]> {
    const { client, urn, id, state } = this;
    const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(state).setNews(news);
    return (await send(client, "diff", request)).getReplacesList();
  }

  async update(news: Struct): Promise<void> {
    const { client, urn, id, state } = this;
    const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(state).setNews(news);
    this.state = (await send(client, "update", request)).getProperties()!;
  }

  async refresh(news: Struct): Promise<void> {
    const { client, urn, id, state } = this;
    const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(state).setInputs(news);
    this.state = (await send(client, "read", request)).getProperties()!;
  }

  async delete(): Promise<void> {
    const { client, urn, id, state } = this;
    await send(client, "delete", new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(state));
  }
}

test("keeps values marked as secret if others have moved them on the server", async () => {
  const agents = await AgentWorld.start();
  const urn = "urn:pulumi:dev::shop::agentserver:index:Assistant::brief";
  const context = { "a.b": ["x", asSecret("key")], token: asSecret("a long key") };
  const moved = { "a.b": ["new", "x", "key"], header: { auth: "Bearer a long key" } };
  const sessions = new SessionPool({ env: agents.environment, clock: agents.time, random: () => 0.5 });
  const client = await connect({
    kindOf: () => kinds.assistant(),
    sessions,
    log: agents.log,
    schema: () => "{}",
  });
  const news = struct({ ...agents.deployment, graph: "agent", context });
  const checked = await send(
    client,
    "check",
    new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(news),
  );
  const inputs = checked.getInputs()!;
  const created = await send(
    client,
    "create",
    new messages.CreateRequest().setUrn(urn).setProperties(inputs),
  );
  await agents.ask("PATCH", `/assistants/${created.getId()}`, { context: moved });
  const request = new messages.ReadRequest().setUrn(urn).setId(created.getId());
  const found = await send(client, "read", request.setProperties(created.getProperties()).setInputs(inputs));
  for (const props of [found.getProperties(), found.getInputs()])
    expect(propsIn(props)["context"]).toEqual({
      // The item at the former position of the secret stays marked.
      "a.b": ["new", asSecret("x"), asSecret("key")],
      header: { auth: asSecret("Bearer a long key") },
    });
});

describe.each(["interface", "langsmith"] as const)("an import in the %s dialect", (dialect) => {
  test("finds no difference from the program, even after a new revision and a refresh", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed();
    const imported = await Import.of(world, stack.urn, stack.deploymentId);
    expect(await imported.changes(await imported.check(declared))).toBe(DIFF_NONE);
    expect(world.log.kept).toBe("");

    const sourceRevisionConfig = { ...declared.sourceRevisionConfig, repoRef: "v2" };
    const news = await imported.check({ ...declared, sourceRevisionConfig });
    await imported.update(news);
    await imported.refresh(news);
    expect(await imported.changes(news)).toBe(DIFF_NONE);
    expect(world.writes.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        source_revision_config: expect.not.objectContaining({ image_uri: expect.anything() }),
      }),
    ]);
  });

  test("leaves a deployment of another stack unchanged", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed();
    const urn = "urn:pulumi:other::other::agentserver:index:Deployment::imported";
    const imported = await Import.of(world, urn, stack.deploymentId);
    const news = await imported.check({ ...declared, displayName: "Imported" });
    expect(await imported.changes(news)).toBe(DIFF_SOME);
    expect(world.log.kept).toContain("[lost]");
    await expect(imported.update(news)).rejects.toThrow("owned by");
    await imported.delete().catch((error: unknown) => error);
    expect(world.writes).toEqual([]);
    await expect(world.record(stack)).resolves.toMatchObject({ id: stack.deploymentId });
  });

  test("adopts a deployment of another stack if the program requests it", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed();
    const urn = "urn:pulumi:other::other::agentserver:index:Deployment::imported";
    const imported = await Import.of(world, urn, stack.deploymentId);
    const news = await imported.check({ ...declared, adopt: "always" });
    expect(await imported.changes(news)).toBe(DIFF_SOME);
    await imported.update(news);
    await imported.refresh(news);
    expect(await imported.changes(news)).toBe(DIFF_NONE);
    expect(world.writes).toHaveLength(1);
  });
});

describe("an import of an object on an agent server", () => {
  let agents: AgentWorld;
  beforeAll(async () => {
    agents = await AgentWorld.start();
  });
  beforeEach(() => agents.forget());

  const urn = "urn:pulumi:dev::shop::agentserver:index:Object::imported";
  const post = <Name extends string>(path: string, body: object) =>
    agents.ask<Record<Name, string>>("POST", path, body);
  const put = (namespace: string[], key: string) =>
    agents.ask("PUT", "/store/items", { namespace, key, value: { of: key } });
  const assistants = {
    graph_id: "agent",
    name: "Brief",
    description: "Short answers",
    context: { style: "brief" },
    metadata: { team: "support" },
  };

  interface Case {
    id: string;
    /** Inputs of the documented program, without the deployment. */
    program: Props;
    /** Change to the program, and the writes of the resulting update. */
    change: Props;
    writes: string[];
  }

  /** Creates the object that is imported. */
  const cases: Partial<Record<KindName, () => Promise<Case>>> = {
    assistant: async () => {
      const { assistant_id: id } = await post<"assistant_id">("/assistants", assistants);
      const { graph_id: graph, ...program } = assistants;
      return {
        id,
        program: { graph, ...program },
        change: { name: "Long" },
        writes: ["PATCH /assistants/ID"],
      };
    },
    cron: async () => {
      const input = { messages: [{ role: "user", content: "Report" }] };
      const { cron_id: id } = await post<"cron_id">("/runs/crons", {
        assistant_id: "agent",
        schedule: "0 9 * * 1-5",
        input,
        metadata: { team: "support" },
      });
      return {
        id,
        program: { assistant: "agent", schedule: "0 9 * * 1-5", input, metadata: { team: "support" } },
        change: { schedule: "0 8 * * 1-5" },
        writes: ["PATCH /runs/crons/ID"],
      };
    },
    thread: async () => {
      const metadata = { team: "support" };
      const { thread_id: id } = await post<"thread_id">("/threads", { metadata });
      return {
        id,
        program: { metadata },
        change: { metadata: { team: "sales" } },
        writes: ["PATCH /threads/ID"],
      };
    },
    storeItem: async () => {
      await put(["settings", "ada"], "tone/of/voice");
      return {
        id: "settings.ada/tone/of/voice",
        program: { namespace: ["settings", "ada"], key: "tone/of/voice", value: { of: "tone/of/voice" } },
        change: { value: { of: "other" } },
        // The record of the values that the resource has written is updated before and after the item.
        writes: ["PUT /store/items", "PUT /store/items", "PUT /store/items"],
      };
    },
    storeItems: async () => {
      await put(["handbook"], "one");
      await put(["handbook"], "two");
      return {
        id: "handbook",
        program: { namespace: ["handbook"], items: { one: { of: "one" }, two: { of: "two" } } },
        change: { items: { one: { of: "one" } } },
        writes: ["DELETE /store/items", "PUT /store/items"],
      };
    },
  };

  test.each(Object.entries(cases))(
    "finds no difference from the program, and updates the object: %s",
    async (kind, create) => {
      const { id, program, change, writes } = await create();
      const { deployment } = agents.deployment;
      const imported = await Import.of(agents, urn, `${deployment.id}/${id}`, kind as KindName);
      expect(imported.id).toBe(id);
      expect(propsIn(imported.state)).toMatchObject({ deployment, controlPlane: { tenantId: "tenant-1" } });
      // A resource class that reads an existing object returns the import ID as `id`.
      const idOutput = { assistant: "assistantId", thread: "threadId" }[kind];
      if (idOutput !== undefined) expect(propsIn(imported.state)[idOutput]).toBe(id);
      const { ownerId: _id, itemHashes: _hashes, ...generated } = propsIn(imported.inputs);
      for (const inputs of [{ deployment, ...program }, generated])
        expect(await imported.changes(await imported.check(inputs))).toBe(DIFF_NONE);
      expect(agents.log.kept).toBe("");
      const news = await imported.check({ deployment, ...program, ...change });
      expect(await imported.changes(news)).toBe(DIFF_SOME);
      agents.forget();
      await imported.update(news);
      expect(agents.writes()).toEqual(writes);
      await imported.refresh(news);
      expect(await imported.changes(news)).toBe(DIFF_NONE);
    },
  );

  test("stores a cron's assistant from the program if the server does not report it", async () => {
    const { id, program } = await cases.cron!();
    const { assistant_id: _, payload, ...body } = await agents.ask<Props>("GET", `/runs/crons/${id}`);
    const { assistant_id: __, ...reported } = payload as Props;
    const path = "/agents/:id/runs/crons/:cron";
    agents.admin.fault({ kind: "status", status: 200, body: { ...body, payload: reported }, path });
    const { deployment } = agents.deployment;
    const imported = await Import.of(agents, `${urn}-cron`, `${deployment.id}/${id}`, "cron");
    expect(propsIn(imported.state)).not.toHaveProperty("assistant");
    const news = await imported.check({ deployment, ...program });
    expect(await imported.changes(news)).toBe(DIFF_SOME);
    await imported.update(news);
    expect(propsIn(imported.state)).toMatchObject({ assistant: program["assistant"] });
    expect(await imported.changes(news)).toBe(DIFF_NONE);
    const { assistant_id: assistant } = await post<"assistant_id">("/assistants", { graph_id: "agent" });
    const other = await imported.check({ deployment, ...program, assistant });
    expect(await imported.replacements(other)).toEqual(["assistant"]);
  });

  test("uses the key that the ID specifies, for an agent server without a deployment", async () => {
    await put(["standalone"], "tone");
    const world = { log: agents.log, time: agents.time, environment: { AGENT_KEY: agents.plane.apiKey } };
    const importId = `${agents.url}?apiKeyFrom=AGENT_KEY#standalone/tone`;
    const imported = await Import.of(world, urn, importId, "storeItem");
    expect(imported.id).toBe("standalone/tone");
    const connection = { url: agents.url, apiKeyFrom: "AGENT_KEY" };
    const program = { connection, namespace: ["standalone"], key: "tone", value: { of: "tone" } };
    expect(await imported.changes(await imported.check(program))).toBe(DIFF_NONE);
  });

  test.each<[string, KindName, string, string]>([
    ["without an agent server", "cron", "{id}", "`<deployment ID>/<cron ID>`"],
    ["without an agent server", "storeItem", "settings.ada/tone", "`<deployment ID>/<namespace>/<key>`"],
    [
      "of a deployment that does not exist",
      "thread",
      "{id}/{id}",
      "Deployment {id} does not exist in this workspace.",
    ],
    ["of a run", "run", "{deployment}/{id}", "A Run cannot be imported"],
  ])("rejects an ID %s (%s)", async (_case, kind, form, message) => {
    const { id: deploymentId } = agents.deployment.deployment;
    const id = "6b1c3d4e-0000-4000-8000-000000000001";
    const filled = (text: string) => text.replace("{deployment}", deploymentId).replaceAll("{id}", id);
    await expect(Import.of(agents, urn, filled(form), kind)).rejects.toThrow(filled(message));
  });
});

test("imports a listener by its ID", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const body = { compute_type: "k8s", compute_id: "eu", compute_config: { k8s_namespaces: ["agents"] } };
  const { id } = (await world.request("POST", "/v2/listeners", body)) as { id: string };
  const urn = "urn:pulumi:dev::shop::agentserver:index:Listener::eu";
  const imported = await Import.of(world, urn, id, "listener");
  const program = { computeId: "eu", namespaces: ["agents"] };
  expect(await imported.changes(await imported.check(program))).toBe(DIFF_NONE);
});
