import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { deploymentKind } from "../../../../provider/deployment/kind";
import { kinds } from "../../../../provider/kinds";
import { SessionPool } from "../../../../provider/session/session-pool";
import { agent, World } from "../../world";
import { connect, send, struct } from "./client";

const { secrets: _secrets, ...declared } = agent();
const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

/** A deployment that is imported by its id, and the calls of the engine afterwards. */
class Import {
  private constructor(
    private readonly client: ResourceProviderClient,
    private readonly urn: string,
    private readonly id: string,
    private readonly inputs: Struct,
    public state: Struct,
  ) {}

  static async of(world: World, urn: string, id: string): Promise<Import> {
    const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
    const kindOf = () => deploymentKind();
    const client = await connect({ kindOf, sessions, log: world.log, schema: () => "{}" });
    const found = await send(client, "read", new messages.ReadRequest().setUrn(urn).setId(id));
    return new Import(client, urn, id, found.getInputs()!, found.getProperties()!);
  }

  /** Returns the checked inputs of a program. */
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

describe.each(["interface", "langsmith"] as const)("an import in the dialect %s", (dialect) => {
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
});

test("reports that an object on an agent server cannot be imported by its id", async () => {
  const world = await World.start();
  const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
  const kindOf = () => kinds.assistant();
  const client = await connect({ kindOf, sessions, log: world.log, schema: () => "{}" });
  const urn = "urn:pulumi:dev::shop::agentserver:index:Assistant::imported";
  const request = new messages.ReadRequest().setUrn(urn).setId("6b1c3d4e-0000-4000-8000-000000000001");
  await expect(send(client, "read", request)).rejects.toThrow('declare the resource with `adopt: "always"`');
});
