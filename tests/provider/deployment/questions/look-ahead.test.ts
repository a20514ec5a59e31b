import { randomUUID } from "node:crypto";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { agent, agentAt, canary, World } from "../../world";
import { Stack } from "../../stack";
import { hostOf, lookingAhead, nothingToSay, previewed } from "./previews";

const nameLook = "GET /v2/deployments";
const withSource = (change: object) => agent({ sourceConfig: { ...agent().sourceConfig, ...change } });

describe("a repository", () => {
  test.each(["sourceConfig.repoUrl", "sourceRevisionConfig.repoRef"])(
    "receives no requests while %s is secret",
    async (secret) => {
      const world = await World.start();
      const asked: string[] = [];
      const repositories = async ({ address }: { address: string }) => {
        asked.push(address);
        return "no ref" as const;
      };
      const stack = lookingAhead(world, {}, { repositories });
      const inputs = withSource({ repoUrl: "https://git.example.com/agents", integrationId: undefined });
      expect((await previewed(world, stack, inputs)).warnings).toHaveLength(1);
      expect(asked).toEqual(["https://git.example.com/agents"]);
      const other = lookingAhead(world, {}, { repositories });
      other.call = { secretPaths: [secret] };
      expect((await previewed(world, other, inputs)).warnings).toEqual([]);
      expect(asked).toHaveLength(1);
    },
  );
});

describe("a repository in a manifest", () => {
  test("receives no requests before an update has used its URL", async () => {
    const world = await World.start();
    const asked: string[] = [];
    const repositories = async ({ address, ref }: { address: string; ref?: string | undefined }) => {
      asked.push(`${address} ${ref}`);
      return "no ref" as const;
    };
    const type = "pulumi-nodejs:dynamic/agentserver:Deployment";
    const stack = new Stack(
      world,
      hostOf(world, {}, { repositories }),
      `urn:pulumi:dev::shop::agentserver:index:Workspace$${type}::agent`,
    );
    const at = (repoUrl: string, repoRef: string) => ({
      ...withSource({ repoUrl, integrationId: undefined }),
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
    });
    const used = "https://git.example.com/agents";
    expect(await previewed(world, stack, at(used, "v1"))).toMatchObject(nothingToSay);
    await stack.up(at(used, "v1"));
    expect(asked).toEqual([]);
    expect((await previewed(world, stack, at(used, "v2"))).warnings).toHaveLength(1);
    expect(asked).toEqual([`${used} v2`]);
    expect((await previewed(world, stack, at("https://internal.example/x", "v2"))).warnings).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

describe("the name check", () => {
  test("looks up the name of a new deployment with one request", async () => {
    const world = await World.start();
    expect(await previewed(world, lookingAhead(world), agent())).toEqual({
      ...nothingToSay,
      requests: [nameLook],
    });
  });

  test("rejects an owned name and explains how to proceed, unless adopt allows it", async () => {
    const world = await World.start();
    const { deploymentId, urn } = await world.deployed();
    const holder = urn.split("::").at(-1);
    const stack = lookingAhead(world);
    const { failures } = await previewed(world, stack, agent());
    expect(failures).toEqual([
      `name: Deployment "support-agent" (${deploymentId}) already exists and is owned by resource "${holder}" of stack shop/dev, since 2026-01-01 00:00:00 UTC. Adopt it (\`adopt: "always"\`), use another name, or delete it. If its owner is a resource in this program that will release the name, set \`deleteBeforeReplace\` on that resource, and make this one depend on it (\`dependsOn\`).`,
    ]);
    expect(await previewed(world, stack, agent({ adopt: "always" }))).toMatchObject(nothingToSay);
    expect(await previewed(world, stack, agent({ adopt: unknownValue as never }))).toMatchObject(
      nothingToSay,
    );
    expect(await previewed(world, stack, agent({ name: "another" }))).toMatchObject(nothingToSay);
  });

  test("rejects values that an adoption cannot change, and warns about values that it removes", async () => {
    const world = await World.start();
    const { deploymentId } = await world.deployed(
      agent({ secrets: { KEPT: `${canary}-1`, LOST: `${canary}-2` } }),
    );
    const wanted = agent({
      adopt: "always",
      sourceConfig: { ...agent().sourceConfig, deploymentType: "dev" },
      secrets: { KEPT: `${canary}-1` },
    });
    expect(await previewed(world, lookingAhead(world), wanted)).toMatchObject({
      failures: [
        `sourceConfig.deploymentType: cannot be changed when deployment ${deploymentId} is adopted (current value: prod). Set it to the current value, or delete that deployment first`,
      ],
      warnings: [
        `secrets: replaces all environment variables of deployment ${deploymentId} when it is adopted: LOST will be removed`,
      ],
    });
  });

  test("accepts the name of its own interrupted create, unless adopt is never", async () => {
    const world = await World.start();
    const first = await world.deployed();
    const stack = lookingAhead(world);
    const own = { ownerId: first.state.ownerId };
    expect(await previewed(world, stack, { ...agent(), ...own })).toMatchObject(nothingToSay);
    const never = await previewed(world, stack, { ...agent({ adopt: "never" }), ...own });
    expect(never.failures).toEqual([
      expect.stringContaining("already exists and has the ownership tag of this resource"),
    ]);
  });

  test("warns if a deployment with the same name is being deleted", async () => {
    const world = await World.start({ lingerSeconds: 120 });
    const gone = await world.deployed();
    const id = gone.deploymentId;
    await gone.destroy();
    expect(await previewed(world, lookingAhead(world), agent())).toMatchObject({
      failures: [],
      warnings: [
        `name: is still used by a deployment that is being deleted (${id}); the new deployment is created as soon as the name is released`,
      ],
    });
  });

  test("looks up the name of a replacement, and accepts only its own deployment", async () => {
    const world = await World.start();
    await world.deployed(agent({ name: "taken" }));
    const stack = await world.deployed();
    stack.host = hostOf(world);
    const moved = withSource({ repoUrl: "https://git.example.com/b.git" });
    expect(await previewed(world, stack, moved)).toEqual({
      ...nothingToSay,
      requests: ["GET /openapi.json", nameLook, nameLook],
    });
    expect(await previewed(world, stack, { ...moved, adopt: "never" })).toMatchObject(nothingToSay);
    const renamed = await previewed(world, stack, agent({ name: "taken" }));
    expect(renamed.failures).toEqual([
      expect.stringMatching(/^name: Deployment "taken" .* already exists and is owned by/),
    ]);
  });
});

test("warns if another resource in the program still uses the name, but may release it", async () => {
  const world = await World.start();
  const first = lookingAhead(world);
  await first.up(agent({ name: "swapped" }));
  const host = hostOf(world);
  first.host = host;
  const second = Object.assign(lookingAhead(world), { host });
  expect((await previewed(world, first, agent({ name: "renamed" }))).failures).toEqual([]);
  expect(await previewed(world, second, agent({ name: "swapped" }))).toMatchObject({
    failures: [],
    warnings: [
      expect.stringMatching(
        /^name: is used by another resource in this program .* depend on it \(dependsOn\)$/,
      ),
    ],
  });
});

describe("the integration check", () => {
  const id = randomUUID();
  const url = "https://git.example.com/agents.git";

  async function start(): Promise<World> {
    const repositories = [{ name: "agents", url: "https://git.example.com/agents" }];
    return World.start({ integrations: [{ id, name: "acme", repositories }] });
  }

  test("accepts an integration that can access the repository, with two requests in total", async () => {
    const world = await start();
    const stack = lookingAhead(world);
    const asked = await previewed(world, stack, withSource({ integrationId: id, repoUrl: url }));
    expect(asked).toMatchObject(nothingToSay);
    expect(asked.requests.filter((request) => request !== nameLook)).toEqual([
      "GET /v1/integrations/github/install",
      `GET /v1/integrations/github/${id}/repos`,
    ]);
    const second = Object.assign(lookingAhead(world), { host: stack.host });
    const other = { ...withSource({ integrationId: id, repoUrl: url }), name: "second" };
    expect(await previewed(world, second, other)).toEqual({ ...nothingToSay, requests: [nameLook] });
    expect(await previewed(world, second, other)).toEqual({ ...nothingToSay, requests: [] });
  });

  test.each([
    ["with an unknown ID", randomUUID()],
    ["with an invalid ID", "../deployments"],
  ])("rejects an integration %s", async (_which, integrationId) => {
    const world = await start();
    expect(await previewed(world, lookingAhead(world), withSource({ integrationId }))).toMatchObject({
      failures: [
        "sourceConfig.integrationId: is not an integration of this workspace; install the Git host's app, or correct the ID",
      ],
      warnings: [],
    });
  });

  test("finds an integration of a forge app", async () => {
    const world = await World.start({ integrations: [{ id, name: "acme", kind: "forge-github" }] });
    expect(await previewed(world, lookingAhead(world), withSource({ integrationId: id }))).toMatchObject(
      nothingToSay,
    );
  });

  test("warns about an integration without access to the repository", async () => {
    const world = await start();
    const elsewhere = withSource({ integrationId: id, repoUrl: "https://git.example.com/other.git" });
    expect(await previewed(world, lookingAhead(world), elsewhere)).toMatchObject({
      failures: [],
      warnings: [
        expect.stringMatching(/^sourceConfig\.repoUrl: is not a repository that the integration can access/),
      ],
    });
  });

  test("does not reject a value if the server's response is unclear", async () => {
    const world = await start();
    world.admin.fault({ kind: "status", status: 403, path: "/v1/integrations/**", times: 9 });
    const asked = await previewed(world, lookingAhead(world), withSource({ integrationId: randomUUID() }));
    expect(asked.failures).toEqual([]);
    expect(asked.warnings).toEqual([expect.stringContaining("could not check new and changed inputs")]);
  });
});

describe("the listener check", () => {
  const image = (sourceConfig: object = {}) => ({
    name: "image-agent",
    source: "external_docker",
    sourceConfig: { resourceSpec: {}, ...sourceConfig },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });

  async function withListener() {
    const world = await World.start({ dialect: "langsmith" });
    return { world, id: await listener(world) };
  }

  async function listener(world: World, namespaces?: string[]): Promise<string> {
    const body = {
      compute_type: "k8s",
      compute_id: randomUUID(),
      compute_config: namespaces ? { k8s_namespaces: namespaces } : {},
    };
    return ((await world.request("POST", "/v2/listeners", body)) as { id: string }).id;
  }

  test("finds the listener with one request after the dialect has been detected", async () => {
    const { world, id } = await withListener();
    const placed = image({ listenerId: id, listenerConfig: { k8sNamespace: "agents" } });
    const asked = await previewed(world, lookingAhead(world), placed);
    expect(asked).toMatchObject(nothingToSay);
    expect(asked.requests.sort()).toEqual(["GET /openapi.json", nameLook, `GET /v2/listeners/${id}`]);
  });

  test("rejects a missing listener, and an omitted one if there are several", async () => {
    const { world, id } = await withListener();
    const stack = lookingAhead(world, { AGENTSERVER_DIALECT: "langsmith" });
    const wrong = await previewed(world, stack, image({ listenerId: randomUUID() }));
    expect(wrong.failures).toEqual(["sourceConfig.listenerId: is not a listener of this workspace"]);
    expect(await previewed(world, stack, image())).toMatchObject(nothingToSay);
    const other = await listener(world, ["blue", "green"]);
    const missing = await previewed(
      world,
      lookingAhead(world, { AGENTSERVER_DIALECT: "langsmith" }),
      image(),
    );
    expect(missing.failures).toEqual([
      `sourceConfig.listenerId: is required, because this workspace has several listeners: ${id}; ${other} (blue, green)`,
    ]);
    const placeless = await previewed(
      world,
      lookingAhead(world, { AGENTSERVER_DIALECT: "langsmith" }),
      image({ listenerId: other }),
    );
    expect(placeless.failures).toEqual([
      `sourceConfig.listenerConfig.k8sNamespace: is required, because listener ${other} has several namespaces: blue, green`,
    ]);
  });
});

describe("the dialect", () => {
  const tag = agentAt("refs/tags/v1", { sourceConfig: { ...agent().sourceConfig, buildOnPush: true } });

  test.each<["interface" | "langsmith", number]>([
    ["interface", 0],
    ["langsmith", 1],
  ])("is detected if it affects the check: %s", async (dialect, count) => {
    const world = await World.start({ dialect });
    const asked = await previewed(world, lookingAhead(world), tag);
    expect(asked.failures).toHaveLength(count);
    expect(asked.requests.sort()).toEqual(["GET /openapi.json", nameLook]);
  });

  test("is not requested if it is configured or does not affect the check", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const configured = lookingAhead(world, { AGENTSERVER_DIALECT: "langsmith" });
    const asked = await previewed(world, configured, tag);
    expect(asked.failures).toEqual([expect.stringMatching(/^sourceConfig\.buildOnPush: cannot be true/)]);
    expect(asked.requests).toEqual([nameLook]);
    expect((await previewed(world, lookingAhead(world), agent())).requests).toEqual([nameLook]);
  });

  test("is unknown offline, so only values that all dialects reject are rejected", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const offline = lookingAhead(world, { AGENTSERVER_OFFLINE: "true" });
    const wrong = { ...tag, sourceConfig: { ...tag.sourceConfig, integrationId: null } };
    expect(await previewed(world, offline, wrong)).toEqual({
      failures: [
        "sourceConfig.integrationId: cannot be cleared with null; omit it to let the control plane choose",
      ],
      warnings: [],
      requests: [],
    });
  });
});

describe("a preview", () => {
  const integrationId = randomUUID();

  test("sends nothing in offline mode, whether it is set by configuration or environment", async () => {
    const world = await World.start();
    const wanted = withSource({ integrationId });
    const env = lookingAhead(world, { AGENTSERVER_OFFLINE: "true" });
    expect(await previewed(world, env, wanted)).toEqual({ ...nothingToSay, requests: [] });
    const configured = lookingAhead(world);
    const config = { get: (key: string) => (key === "agentserver:offline" ? "true" : undefined) };
    await configured.host.configure({ config } as never);
    expect(await previewed(world, configured, wanted)).toEqual({ ...nothingToSay, requests: [] });
  });

  test("sends nothing for unknown values", async () => {
    const world = await World.start();
    const unknown = {
      ...agent({ name: unknownValue }),
      sourceConfig: { integrationId: unknownValue, repoUrl: unknownValue },
      sourceRevisionConfig: unknownValue,
    };
    expect(await previewed(world, lookingAhead(world), unknown)).toEqual({ ...nothingToSay, requests: [] });
  });

  test("sends nothing for unchanged values", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    stack.host = hostOf(world);
    for (const wanted of [agent(), agent({ adopt: "never" })])
      expect(await previewed(world, stack, wanted)).toEqual({ ...nothingToSay, requests: [] });
  });

  test("queries only the current owner for updates, once per run", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    stack.host = hostOf(world);
    const requests: string[][] = [];
    for (const wanted of [
      agentAt("v2"),
      withSource({ buildOnPush: true }),
      agent({ secrets: { MODEL_KEY: `${canary}-new` }, adopt: "never" }),
    ]) {
      const { requests: sent, ...said } = await previewed(world, stack, wanted);
      expect(said).toEqual(nothingToSay);
      requests.push(sent);
    }
    expect(requests.map((sent) => sent.filter((one) => !one.includes("/v2/deployments")))).toEqual([
      [],
      [],
      [],
    ]);
    expect(requests.flat().length).toBeLessThanOrEqual(2);
  });

  test("sends nothing for malformed inputs", async () => {
    const world = await World.start();
    const asked = await previewed(world, lookingAhead(world), { ...agent(), adopt: 7 });
    expect([asked.failures.length, asked.requests]).toEqual([1, []]);
  });
});

describe("an unavailable control plane", () => {
  test("is reported once per run, and receives no further requests", async () => {
    const world = await World.start();
    const host = hostOf(world);
    const one = Object.assign(lookingAhead(world), { host });
    const two = Object.assign(lookingAhead(world), { host });
    world.admin.fault({ kind: "status", status: 503, times: 99 });
    const first = await previewed(world, one, agent());
    expect(first).toEqual({
      failures: [],
      warnings: [
        expect.stringMatching(/^the control plane could not .* returned 503.*agentserver:offline true/),
      ],
      requests: [nameLook],
    });
    expect(await previewed(world, two, agent({ name: "two" }))).toEqual({ ...nothingToSay, requests: [] });
  });

  test("is reported as a warning if no server listens at its address", async () => {
    const world = await World.start();
    const stack = lookingAhead(world, { AGENTSERVER_BASE_URL: "http://127.0.0.1:1" });
    const { failures, warnings } = await previewed(world, stack, agent());
    expect([failures.length, warnings.length]).toEqual([0, 1]);
  });

  test("is reported without the key if it rejects the key", async () => {
    const world = await World.start();
    const stack = lookingAhead(world, { AGENTSERVER_API_KEY: `${canary}-wrong` });
    const { failures, warnings } = await previewed(world, stack, agent());
    expect(failures).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("returned 401")]);
  });

  test("does not delay the preview or hide known errors", async () => {
    const world = await World.start();
    world.admin.fault({ kind: "delay", ms: 3_600_000, times: 99 });
    const stack = lookingAhead(world, { AGENTSERVER_DIALECT: "langsmith" }, { maxWaitMs: 50 });
    const { failures, warnings } = await previewed(world, stack, agent({ secrets: { PORT: "80" } }));
    expect(failures).toEqual(["secrets.PORT: is reserved by the control plane"]);
    expect(warnings).toEqual([expect.stringContaining("no response within 0.05 s")]);
  });
});

test("keeps values that the program marked as secret out of messages", async () => {
  const world = await World.start();
  await world.deployed(agent({ name: "hidden-name" }));
  const stack = lookingAhead(world);
  stack.call = { secretPaths: ["name"] };
  const { failures } = await previewed(world, stack, agent({ name: "hidden-name" }));
  expect(failures).toEqual([expect.stringContaining('Deployment "[secret]" (')]);
});
