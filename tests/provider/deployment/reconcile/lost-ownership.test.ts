import { agent, agentAt, World } from "../../world";
import { hostOf, previewed } from "../questions/previews";
import type { Stack } from "../../stack";

const urnOf = (project: string, name: string) =>
  `urn:pulumi:prod::${project}::pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;

/** Returns a stack whose deployment was adopted by another stack ten minutes after it was created. */
async function lost(
  dialect: "interface" | "langsmith" = "interface",
): Promise<{ world: World; first: Stack }> {
  const world = await World.start({ dialect });
  const first = await world.deployed();
  await world.clock.advance(600_000);
  const second = world.stack({}, urnOf("billing", "their agent"));
  second.call = { organization: "acme" };
  await second.up(agent({ adopt: "always" }));
  world.forget();
  return { world, first };
}

const holder = /resource "their agent" of stack acme\/billing\/prod, since 2026-01-01 00:1\d:\d\d UTC/;

describe.each(["interface", "langsmith"] as const)(
  "a deployment that another stack adopted (%s dialect)",
  (dialect) => {
    test("is reported by a refresh with its owner, the time, and advice", async () => {
      const { world, first } = await lost(dialect);
      expect(await first.refresh()).toBe(true);
      const [warning] = world.log.lines("warning");
      expect(warning).toMatch(holder);
      expect(warning).toContain("this stack can neither change nor delete it");
      expect(warning).toContain('`adopt: "always"`');
      expect(warning).toContain(`\`pulumi state delete ${first.urn} --stack dev\``);
      expect(first.outputs["heldBy"]).toMatch(holder);
    });

    test("is reported by every preview after a refresh, even if the program has not changed", async () => {
      const { world, first } = await lost(dialect);
      await first.refresh();
      world.forget();
      expect((await first.preview(agent())).changes).toBe(true);
      expect(world.log.lines("info").join()).toMatch(/is owned by another Pulumi resource.* \[lost\]/);
      const { failure } = await first.up(agent());
      expect(failure!.message).toMatch(holder);
      expect(world.writes).toEqual([]);
    });

    test("is reclaimed with adopt: always", async () => {
      const { world, first } = await lost(dialect);
      await first.refresh();
      world.forget();
      const mine = agent({ adopt: "always" });
      await first.preview(mine);
      expect(world.log.lines("info").join()).toContain("is reclaimed from the Pulumi resource that owns it");
      expect((await first.up(mine)).step).toBe("update");
      expect(first.outputs).not.toHaveProperty("heldBy");
      await first.refresh();
      expect(first.outputs).not.toHaveProperty("heldBy");
      expect((await first.up(mine)).step).toBe("same");
    });
  },
);

test("fails the preview of a change with an error that names the owner, before any write request", async () => {
  const { world, first } = await lost();
  first.host = hostOf(world);
  const { failures } = await previewed(world, first, agentAt("v2"));
  expect(failures).toEqual([expect.stringMatching(holder)]);
  const taking = await previewed(world, first, { ...agentAt("v2"), adopt: "always" });
  expect(taking.failures).toEqual([]);
  expect(taking.warnings.join()).toContain("this update reclaims it");
});

test("keeps the time in the tag across updates, and uses names only for display", async () => {
  const world = await World.start();
  const stack = world.stack({}, urnOf("shop", "agent/☕ 1%"));
  await stack.up(agent());
  await world.clock.advance(3_600_000);
  await stack.up(agent({ secrets: { MODEL_KEY: "another" } }));
  const { failure } = await world.stack().up(agent());
  expect(failure!.message).toContain(
    'resource "agent/☕ 1%" of stack shop/prod, since 2026-01-01 00:00:00 UTC',
  );
});

test.each(["0b6d2f3e-0000-4000-8000-000000000000", "0b6d2f3e-0000-4000-8000-000000000000/2"])(
  "parses a tag from an early release: %s",
  async (tag) => {
    const world = await World.start();
    const stack = await world.deployed();
    const secrets = [
      { name: "MODEL_KEY", value: "a" },
      { name: "AGENTSERVER_OWNER", value: tag },
    ];
    await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, { secrets });
    world.forget();
    await stack.refresh();
    expect(stack.outputs["heldBy"]).toBe("another Pulumi resource");
  },
);
