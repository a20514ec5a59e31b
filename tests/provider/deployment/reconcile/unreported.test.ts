import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { ServerLimits } from "../../server-limits";
import type { Stack } from "../../stack";
import { agent, agentAt, canary, World } from "../../world";

const dialects = ["interface", "langsmith"] as const;
const secretsOfKind = ["omitted", "names", "masked"] as const;
const combinations = dialects.flatMap((dialect) =>
  secretsOfKind.map((secrets) => [dialect, secrets] as const),
);

function withSecret(value: string, change: Partial<DeploymentInputs> = {}): DeploymentInputs {
  return agent({ secrets: { MODEL_KEY: `${canary}-${value}` }, ...change });
}

/** Returns the value of the secret on the control plane. */
async function secretAt(world: World, stack: Stack): Promise<unknown> {
  const record = (await world.record(stack)) as { secrets: { name: string; value: string }[] };
  return record.secrets.find(({ name }) => name === "MODEL_KEY")?.value;
}

/**
 * Runs an update that is killed after its PATCH: the control plane has accepted the change, but it is not in the state.
 */
async function cutOff(world: World, stack: Stack, inputs: DeploymentInputs): Promise<void> {
  const kept = { id: stack.id, inputs: stack.inputs, outputs: stack.outputs };
  expect((await stack.up(inputs)).failure).toBeUndefined();
  Object.assign(stack, kept, { host: world.host() });
  world.forget();
}

describe.each(combinations)(
  "a resource in the %s dialect on a server that hides secret values (secrets: %s)",
  (dialect, secrets) => {
    test("sends a secret that was changed after an interrupted update", async () => {
      const world = await World.start({ dialect }, { secrets });
      const stack = await world.deployed(withSecret("old"));
      await cutOff(
        world,
        stack,
        withSecret("old", agentAt("v2", { secrets: { MODEL_KEY: `${canary}-old` } })),
      );
      const wanted = agentAt("v2", { secrets: { MODEL_KEY: `${canary}-new` } });
      expect((await stack.up(wanted)).failure).toBeUndefined();
      expect(await secretAt(world, stack)).toBe(`${canary}-new`);
      expect((await stack.preview(wanted)).changes).toBe(false);
    });

    test("finds no drift during a refresh, and does not write masked values back", async () => {
      const world = await World.start({ dialect }, { secrets });
      const stack = await world.deployed(withSecret("one"));
      expect(await stack.refresh()).toBe(true);
      expect((await stack.preview(withSecret("one"))).changes).toBe(false);
      expect(
        (await stack.up(withSecret("one", { sourceRevisionConfig: agentAt("v2").sourceRevisionConfig })))
          .step,
      ).toBe("update");
      expect(await secretAt(world, stack)).toBe(`${canary}-one`);
      expect(JSON.stringify(world.writes)).not.toContain("****");
    });

    test("adopts only if secrets are declared, because writing the tag would remove other secrets", async () => {
      const world = await World.start({ dialect }, { secrets });
      const other = await world.deployed(withSecret("theirs"));
      const { secrets: _, ...unmanaged } = agent({ adopt: "always" });
      const { failure } = await world.stack().up(unmanaged);
      expect(failure!.message).toMatch(
        /The ownership tag of deployment .* cannot be written.*Declare `secrets`/,
      );
      expect(world.writes).toEqual([]);
      expect(await secretAt(world, other)).toBe(`${canary}-theirs`);
      const stack = world.stack();
      expect((await stack.up(withSecret("ours", { adopt: "always" }))).failure).toBeUndefined();
      expect(stack.id).toBe(other.id);
      expect(await secretAt(world, stack)).toBe(`${canary}-ours`);
    });
  },
);

test("reports no drift if a server masks values with empty strings", async () => {
  const world = await World.start();
  const stack = await world.deployed(withSecret("one"));
  const record = (await world.record(stack)) as { secrets: { name: string }[] };
  const body = { ...record, secrets: record.secrets.map(({ name }) => ({ name, value: "" })) };
  world.admin.fault({
    kind: "status",
    status: 200,
    method: "GET",
    path: "/v2/deployments/:id",
    body,
    times: 1,
  });
  expect(await stack.refresh()).toBe(true);
  expect((await stack.preview(withSecret("one"))).changes).toBe(false);
});

test.each([
  ["installCommand", "install_command", "npm ci"],
  ["buildCommand", "build_command", "npm run build"],
  ["customUrl", "custom_url", "https://agents.example.com/a"],
] as const)(
  "sends a changed %s after an interrupted update if the server does not report it",
  async (field, wire, value) => {
    const limits: ServerLimits = { hides: [`source_config.${wire}`] };
    const world = await World.start({ dialect: "langsmith" }, limits);
    const at = (repoRef: string, more: object) =>
      agentAt(repoRef, { sourceConfig: { ...agent().sourceConfig, ...more } });
    const stack = await world.deployed(at("v1", {}));
    await cutOff(world, stack, at("v2", {}));
    expect((await stack.up(at("v2", { [field]: value }))).failure).toBeUndefined();
    expect(await world.record(stack)).toMatchObject({ source_config: { [wire]: value } });
    expect((await stack.preview(at("v2", { [field]: value }))).changes).toBe(false);
  },
);
