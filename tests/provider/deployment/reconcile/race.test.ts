import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { DialectName } from "../../../../emulator/index";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { temporaryFolder, writeFile } from "../../../tools/temporary-folder";
import type { Stack } from "../../stack";
import { agent, canary, World } from "../../world";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Called before a request reaches the control plane. The request is delayed until the returned promise resolves. */
type Before = (request: string) => Promise<unknown> | undefined;

/** Returns a stack whose requests can be delayed. `before` receives the request, such as `POST deployments`. */
async function stackBehind(world: World, before: Before, urn?: string): Promise<Stack> {
  const { origin, pathname } = new URL(world.plane.baseUrl);
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      await before(nameOf(request));
      const headers = Object.entries(request.headers).filter(
        ([name]) => !["host", "connection", "content-length"].includes(name),
      ) as [string, string][];
      const answered = await fetch(origin + request.url!, {
        method: request.method ?? "GET",
        headers,
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await answered.arrayBuffer()));
    };
    answer().catch(() => response.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return world.stack({ AGENTSERVER_BASE_URL: `http://127.0.0.1:${port}${pathname}` }, urn);
}

function nameOf({ method, url }: IncomingMessage): string {
  return `${method} ${url!.split("?")[0]!.split("/").at(-1)}`;
}

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
}

/** Returns a function that delays the first request with this name until the promise that `until` returns resolves. */
function holding(name: string, until: () => Promise<unknown>): Before {
  let isHeld = false;
  return (request) => {
    if (isHeld || request !== name) return undefined;
    isHeld = true;
    return until();
  };
}

const writes = (world: World) => world.writes.map(({ method, path }) => `${method} ${path.split("/v2/")[1]}`);

function folderInputs(change: Partial<DeploymentInputs> = {}): DeploymentInputs {
  const folder = temporaryFolder();
  writeFile(join(folder, "langgraph.json"), '{"graphs": {"agent": "./graph.mjs:graph"}}');
  writeFile(join(folder, "graph.mjs"), "export const graph = 1;");
  return agent({
    source: "internal_source",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { folder },
    ...change,
  });
}

/** Creates a deployment without Pulumi. */
function untagged(world: World, change: object = {}): Promise<unknown> {
  return world.request("POST", "/v2/deployments", {
    name: "support-agent",
    source: "internal_source",
    source_config: { deployment_type: "dev" },
    source_revision_config: {},
    secrets: [{ name: "THEIRS", value: `${canary}-theirs` }],
    ...change,
  });
}

describe.each<DialectName>(["interface", "langsmith"])(
  "a race between stacks for the same name (%s dialect)",
  (dialect) => {
    test.each(["ifOwned", "never"] as const)(
      "leaves the deployment to the stack whose POST was processed first, with adopt: %s",
      async (adopt) => {
        const world = await World.start({ dialect });
        const winner = world.stack();
        const loser = await stackBehind(
          world,
          holding("POST deployments", () => winner.up(agent())),
        );
        const { failure } = await loser.up(agent({ adopt, secrets: { MODEL_KEY: `${canary}-loser` } }));
        expect(failure?.message).toContain(
          `(${winner.deploymentId}) already exists and is owned by resource "`,
        );
        expect(failure?.id).toBeUndefined();
        expect(writes(world)).toEqual(["POST deployments", "POST deployments"]);
        expect((await winner.up(agent())).step).toBe("same");
        expect(await winner.refresh()).toBe(true);
        expect(winner.state.heldBy).toBeUndefined();
        expect(winner.state.secrets).toEqual(agent().secrets);
      },
    );

    test("leaves one owner when three updates run concurrently", async () => {
      const world = await World.start({ dialect });
      const stacks = [world.stack(), world.stack(), world.stack()];
      const ups = await Promise.all(stacks.map((stack) => stack.up(agent())));
      expect(ups.filter(({ step }) => step === "create")).toHaveLength(1);
      const failures = ups.flatMap(({ failure }) => failure ?? []);
      expect(failures.map(({ message }) => message)).toEqual(
        Array(2).fill(expect.stringContaining("already exists and is owned by")),
      );
      expect(world.writes.every(({ method }) => method === "POST")).toBe(true);
      const [winner] = stacks.filter(({ id }) => id !== undefined);
      expect((await winner!.preview(agent())).changes).toBe(false);
    });

    test("reports a conflict even to a copy of the stack that created the deployment", async () => {
      const world = await World.start({ dialect });
      const winner = world.stack();
      const copy = await stackBehind(
        world,
        holding("POST deployments", () => winner.up(agent())),
        winner.urn,
      );
      const { failure } = await copy.up(agent({ secrets: { MODEL_KEY: `${canary}-copy` } }));
      expect(failure?.message).toContain(
        `(${winner.deploymentId}) already exists and has the ownership tag of this resource.`,
      );
      expect(writes(world)).toEqual(["POST deployments", "POST deployments"]);
    });

    test.each(["ifOwned", "never"] as const)(
      "reports a conflict after a lost response to a POST that had no effect, with adopt: %s",
      async (adopt) => {
        const world = await World.start({ dialect });
        const winner = world.stack();
        const dropped = async () => {
          await winner.up(agent());
          throw new Error("The connection ends here.");
        };
        const stack = await stackBehind(world, holding("POST deployments", dropped));
        const { failure } = await stack.up(agent({ adopt }));
        expect(failure?.message).toContain(
          `(${winner.deploymentId}) already exists and is owned by resource "`,
        );
        expect(world.writes.filter(({ status }) => status === 201)).toHaveLength(1);
        expect(world.writes.every(({ method }) => method === "POST")).toBe(true);
      },
    );
  },
);

describe("a race between two stacks that upload folders under the same name", () => {
  const start = () => World.start({ dialect: "langsmith", state: temporaryFolder() });

  test.each(["ifOwned", "never"] as const)(
    "leaves the deployment to the first stack during its upload, with adopt: %s",
    async (adopt) => {
      const world = await start();
      const [posted, lost] = [signal(), signal()];
      const winner = await stackBehind(world, (request) => {
        if (request !== "POST upload-url") return undefined;
        posted.give();
        return lost.given;
      });
      let won: Promise<unknown> = Promise.resolve();
      const loser = await stackBehind(
        world,
        holding("POST deployments", () => {
          won = winner.up(folderInputs());
          return posted.given;
        }),
      );
      const { failure } = await loser.up(folderInputs({ adopt }));
      lost.give();
      await won;
      expect(failure?.message).toContain(`(${winner.deploymentId}) already exists and has no reported owner`);
      expect(failure?.message).toContain('`adopt: "always"`');
      expect(failure?.id).toBeUndefined();
      expect(writes(world)).toEqual([
        "POST deployments",
        "POST deployments",
        `POST deployments/${winner.deploymentId}/upload-url`,
        expect.stringContaining("PUT "),
        `PATCH deployments/${winner.deploymentId}`,
      ]);
      expect((await winner.up(winner.inputs)).step).toBe("same");
    },
  );

  test("does not adopt a deployment without a tag, regardless of its age", async () => {
    const world = await start();
    await untagged(world);
    await world.clock.advance(60 * 60_000);
    world.forget();
    const { failure } = await world.stack().up(folderInputs());
    expect(failure?.message).toContain("already exists and has no reported owner");
    expect(world.writes).toEqual([]);
  });

  test.each(["ifOwned", "never"] as const)(
    "reports a conflict if the response is lost and no owner is reported, with adopt: %s",
    async (adopt) => {
      const world = await start();
      world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/v2/deployments" });
      const inputs = folderInputs({ adopt });
      const stack = world.stack();
      const { failure } = await stack.up(inputs);
      expect(failure?.message).toContain("already exists and has no reported owner");
      expect(failure?.message).toContain('`adopt: "always"`');
      expect(failure?.id).toBeUndefined();
      expect(writes(world)).toEqual(["POST deployments"]);
      expect((await stack.up({ ...inputs, adopt: "always" })).step).toBe("create");
      expect(world.writes.filter(({ path }) => path.endsWith("/v2/deployments"))).toHaveLength(1);
      expect((await stack.up(inputs)).failure).toBeUndefined();
    },
  );

  test("continues after a lost response with adopt: always", async () => {
    const world = await start();
    world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/v2/deployments" });
    const stack = world.stack();
    expect((await stack.up(folderInputs({ adopt: "always" }))).step).toBe("create");
    expect(writes(world)[0]).toBe("POST deployments");
    expect(writes(world).at(-1)).toBe(`PATCH deployments/${stack.deploymentId}`);
  });
});

test("adopts nothing with adopt: never, even if an older create of this resource arrives late", async () => {
  const world = await World.start();
  const stack = world.stack();
  const { inputs } = await stack.check(agent());
  const older = () =>
    untagged(world, {
      source: "github",
      source_config: { repo_url: "https://git.example.com/agents.git" },
      source_revision_config: { repo_ref: "v1" },
      secrets: [
        {
          name: "AGENTSERVER_OWNER",
          value: `${String(inputs["ownerId"])}/1/2025-12-31T23:59:00.000Z/acme/shop/dev/agent/.`,
        },
      ],
    });
  const dropped = async () => {
    await older();
    throw new Error("The connection ends here.");
  };
  for (const before of [older, dropped]) {
    const again = await stackBehind(world, holding("POST deployments", before), stack.urn);
    const { failure } = await again.up(agent({ adopt: "never" }));
    expect(failure?.message).toContain("already exists and has the ownership tag of this resource");
    expect(world.writes.every(({ method }) => method === "POST")).toBe(true);
    await world.admin.reset();
  }
});

test("does not report a tag for an adopted deployment without one", async () => {
  const world = await World.start({ dialect: "langsmith", state: temporaryFolder() });
  const { id } = (await untagged(world)) as { id: string };
  await world.clock.advance(20 * 60_000);
  world.forget();
  const stack = world.stack();
  expect((await stack.up(folderInputs({ adopt: "always" }))).step).toBe("create");
  expect(stack.deploymentId).toBe(id);
  expect(world.log.kept).toContain(`(${id}) has no reported owner and is adopted.`);
  expect(world.log.kept).not.toContain("has the ownership tag");
});

test("does not resize a deployment that another stack adopts after the first step", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const sized = (computeTier: string, repoRef: string, change: Partial<DeploymentInputs> = {}) =>
    agent({
      sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" },
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      computeTier,
      ...change,
    });
  const other = world.stack();
  let isPatched = false;
  const stack = await stackBehind(world, (request) => {
    if (isPatched && request === `GET ${stack.deploymentId}` && !other.id)
      return other.up(sized("DEDICATED_M", "v2", { adopt: "always" }));
    isPatched ||= request === `PATCH ${stack.id}`;
    return undefined;
  });
  await stack.up(sized("DEDICATED_M", "v1"));
  world.forget();

  const { failure } = await stack.up(sized("DEDICATED_L", "v2"));

  expect(failure?.reasons?.join("\n")).toMatch(/is not finished: .* was not changed because it is owned by/);
  expect(other.deploymentId).toBe(stack.deploymentId);
  expect(await world.record(other)).toMatchObject({ compute_tier: "DEDICATED_M" });
  expect(writes(world).every((write) => !write.endsWith("resource-tiers"))).toBe(true);
});

test.each<DialectName>(["interface", "langsmith"])(
  "keeps a secret that is rotated during a required pause (%s dialect)",
  async (dialect) => {
    const world = await World.start({ dialect });
    const plain = (MODE: string) => agent({ secrets: undefined, environmentVariables: { MODE } });
    const setTheirs = async (value: string) => {
      const { secrets } = (await world.record(stack)) as { secrets: { name: string }[] };
      const others = secrets.filter(({ name }) => name !== "THEIRS");
      await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
        secrets: [...others, { name: "THEIRS", value }],
      });
    };
    let rotation: Promise<void> | undefined;
    let isPaused = false;
    // The pause begins with the first PATCH and ends with the next request.
    const stack = await stackBehind(world, (request) => {
      if (isPaused) return (rotation ??= setTheirs("rotated"));
      isPaused = request === `PATCH ${stack.id}`;
      return undefined;
    });
    await stack.up(plain("a"));
    await setTheirs("old");
    await world.clock.advance(120_000);
    const path = "/v2/deployments/:id";
    world.admin.fault({ kind: "status", status: 429, retryAfter: 30, method: "PATCH", path });

    expect((await stack.up(plain("b"))).failure).toBeUndefined();

    expect(((await world.record(stack)) as { secrets: unknown }).secrets).toEqual(
      expect.arrayContaining([
        { name: "THEIRS", value: "rotated" },
        { name: "MODE", value: "b" },
      ]),
    );
  },
);

test("does not delete a deployment that another stack adopts during a pause", async () => {
  const world = await World.start();
  const urn = "urn:pulumi:other::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";
  const other = world.stack({}, urn);
  let adoption: ReturnType<Stack["up"]> | undefined;
  let isPaused = false;
  // The pause begins with the first DELETE and ends with the next request.
  const stack = await stackBehind(world, (request) => {
    if (isPaused) return (adoption ??= other.up(agent({ adopt: "always" })));
    isPaused = request.startsWith("DELETE");
    return undefined;
  });
  await stack.up(agent());
  world.admin.fault({ kind: "status", status: 429, retryAfter: 30, method: "DELETE" });

  await stack.destroy();

  expect((await adoption!).failure).toBeUndefined();
  expect(await world.record(other)).toMatchObject({ name: "support-agent" });
  expect(world.log.lines("warning").join()).toContain("other");
});
