import { canaries } from "./canaries";
import type { EngineRun } from "./engine-run";
import { declaring } from "./programs";
import type { Stack } from "./stack";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  await world.admin.reset();
  world.admin.steer({ pace: "at once" });
});
afterAll(() => world.end());

/** Returns a stack that has no environment variables for the connection. */
async function stackWithoutConnection(name: string, program = declaring()): Promise<Stack> {
  const stack = await world.stack(name, program);
  for (const variable of ["BASE_URL", "API_KEY", "TENANT_ID"])
    stack.environment(`AGENTSERVER_${variable}`, undefined);
  return stack;
}

/** Returns the engine's error messages about the deployment. */
function errorsOf(run: EngineRun, stack: Stack): string[] {
  return run.diagnostics
    .filter(({ urn, severity }) => urn === stack.urn("agent") && severity === "error")
    .map(({ message }) => message.trim());
}

test("reports a missing API key in one error that states where to set it, and creates nothing", async () => {
  const stack = await world.stack("no-key", declaring());
  stack.environment("AGENTSERVER_API_KEY", undefined);

  for (const run of [await stack.preview(), await stack.up()]) {
    expect(run.code).not.toBe(0);
    expect(errorsOf(run, stack)).toEqual([
      expect.stringMatching(/No API key .* agentserver:apiKey`, .* AGENTSERVER_API_KEY='<API_KEY>'` .*\.$/),
    ]);
    expect(run.output).not.toContain("    at ");
  }
  expect(world.admin.journal()).toEqual([]);
  expect(await stack.resource("agent")).toBeUndefined();
});

test("reports a rejected key in one error that contains both settings, before writing anything", async () => {
  const stack = await world.stack(
    "refused-key",
    `${declaring()}${declaring({ name: "second" }).replace("const agent", "const second").replace('"agent"', '"second"')}`,
  );
  stack.environment("AGENTSERVER_API_KEY", "not-the-key");

  const up = await stack.up();

  expect(up.code).not.toBe(0);
  expect(errorsOf(up, stack)).toEqual([
    expect.stringMatching(/returned 401: Invalid API key.* agentserver:apiKey .*AGENTSERVER_API_KEY/),
  ]);
  expect(up.output).not.toContain("not-the-key");
  expect(world.writes()).toEqual([]);
  expect(await stack.resource("agent")).toBeUndefined();
});

test("rejects a region together with a base URL", async () => {
  const stack = await world.stack("two-addresses", declaring());
  await stack.config("agentserver:region", "eu");
  await stack.config("agentserver:baseUrl", world.plane.baseUrl);

  const preview = await stack.preview();

  expect(preview.code).not.toBe(0);
  expect(errorsOf(preview, stack)).toEqual([
    expect.stringContaining("agentserver:baseUrl and agentserver:region are both set; remove one of them."),
  ]);
});

describe("a connection that is configured only in the stack", () => {
  let stack: Stack;

  beforeAll(async () => {
    const looked = `exports.looked = agent.id.apply((id) => getDeployment({ id })).apply(({ name }) => name);`;
    stack = await stackWithoutConnection("configured", declaring() + looked);
    await stack.config("agentserver:baseUrl", `${world.plane.baseUrl}/api-host/`);
    await stack.config("agentserver:tenantId", world.plane.tenantId);
    await stack.config("agentserver:apiKey", canaries.apiKey, "--secret");
  });

  test("is used by the provider and the program's functions, and its key is not stored in state", async () => {
    const up = await stack.up();

    expect(up).toMatchObject({ code: 0, changes: { create: 2 } });
    expect(up.output).toContain('looked: "support-agent"');
    const resource = await stack.resource("agent");
    expect(resource).toMatchObject({
      outputs: {
        controlPlane: { baseUrl: `${world.plane.baseUrl}/api-host`, tenantId: world.plane.tenantId },
      },
    });
    // No secret was declared, so any secret in the state, even an encrypted one, would be the key.
    expect(JSON.stringify(resource)).not.toMatch(/ciphertext|apiKey/);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  test("is rejected if it changes, with an error that contains both addresses and the fix", async () => {
    await stack.config("agentserver:baseUrl", "https://elsewhere.example.com");

    const preview = await stack.preview();

    expect(preview.code).not.toBe(0);
    for (const part of [
      `address ${world.plane.baseUrl}/api-host, now https://elsewhere.example.com/api-host`,
      "pulumi config set agentserver:allowMove true",
    ])
      expect(preview.output).toContain(part);
    expect(await stack.resource("agent")).toBeDefined();
  });
});
