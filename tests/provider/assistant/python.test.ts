import { pythonFiles, pythonGraph } from "../../emulator/rollout/runtimes/python/agents";
import { describeWithPython } from "../../emulator/rollout/runtimes/python/available";
import { AgentWorld } from "../agent-world";
import type { Stack } from "../stack";

/** A graph that responds with the configuration of its run. */
const reportingGraph = pythonGraph(
  `config = get_config()
configurable = {key: config["configurable"][key] for key in ("model", "a") if key in config["configurable"]}
answer = f"{configurable} {get_runtime().context} {config.get('tags')} {config.get('recursion_limit')}"`,
  "from langgraph.config import get_config\nfrom langgraph.runtime import get_runtime",
);

describeWithPython("tests/provider/assistant/python.test.ts")("an assistant of a Python agent", () => {
  let world: AgentWorld;
  beforeAll(async () => {
    world = await AgentWorld.start(pythonFiles(reportingGraph));
  });
  beforeEach(() => world.forget());

  const declared = (change: object) => ({ ...world.deployment, graph: "agent", name: "Brief", ...change });

  /** Returns the configuration that a run of the assistant gets. */
  async function configurationOf({ id }: Stack): Promise<unknown> {
    const input = { messages: [{ role: "user", content: "hi" }] };
    const { messages } = await world.ask<{ messages: { content: string }[] }>("POST", "/runs/wait", {
      assistant_id: id,
      input,
    });
    return messages.at(-1)!.content;
  }

  /** Expects that neither an update nor an update after a refresh changes anything. */
  async function expectStable(stack: Stack, inputs: object): Promise<void> {
    world.forget();
    expect(await stack.up(inputs)).toMatchObject({ step: "same" });
    await stack.refresh();
    expect(await stack.up(inputs)).toMatchObject({ step: "same" });
    expect([world.writes(), world.log.kept]).toEqual([[], ""]);
  }

  test.each([
    [
      "null",
      { config: { tags: ["pii"], recursionLimit: 7, configurable: { model: "x" } } },
      { config: null },
    ],
    ["an empty object", { config: { configurable: { model: "x" } } }, { config: {} }],
    ["a cleared last entry", { config: { tags: ["pii"] } }, { config: { tags: null } }],
    ["a removed last entry", { config: { recursionLimit: 7 } }, { config: {} }],
    ["an empty entry", { config: { configurable: { model: "x" } } }, { config: { configurable: {} } }],
    ["a cleared context", { context: { a: 1 } }, { context: null }],
    ["an empty context", { context: { a: 1 } }, { context: {} }],
    [
      "a cleared context next to a cleared entry",
      { context: { a: 1 }, config: { tags: ["pii"] } },
      { context: null, config: { tags: null } },
    ],
  ])("runs without a configuration that was cleared with %s", async (_, before, after) => {
    const [stack, fresh] = [world.stack("assistant"), world.stack("assistant")];
    await stack.up(declared(before));
    await fresh.up(declared({}));
    const none = await configurationOf(fresh);
    expect(await configurationOf(stack)).not.toBe(none);
    expect(await stack.up(declared(after))).toMatchObject({ step: "update" });
    // Some values are reported as empty instead of missing.
    expect(emptyAsNone(await configurationOf(stack))).toBe(emptyAsNone(none));
    await expectStable(stack, declared(after));
    await stack.up(declared(before));
    expect(await configurationOf(stack)).not.toBe(none);
  });

  test("runs with the declared context after a version is no longer pinned", async () => {
    const stack = world.stack("assistant");
    await stack.up(declared({ context: { a: 1 } }));
    await stack.up(declared({ context: { a: 2 } }));
    await stack.up(declared({ context: { a: 2 }, pinVersion: 1 }));
    await stack.up(declared({ context: { a: 2 } }));
    expect(await configurationOf(stack)).toContain("{'a': 2} {'a': 2}");
    await expectStable(stack, declared({ context: { a: 2 } }));
  });

  test.each([{ context: { a: 2 } }, { context: null }])(
    "replaces the values of a version that was activated outside the program (%j)",
    async (inputs) => {
      const stack = world.stack("assistant");
      await stack.up(declared({ context: { a: 1 } }));
      await stack.up(declared(inputs));
      const before = await configurationOf(stack);
      await world.ask("POST", `/assistants/${stack.id}/latest`, { version: 1 });
      expect(await configurationOf(stack)).toContain("{'a': 1}");
      await stack.refresh();
      expect(await stack.up(declared(inputs))).toMatchObject({ step: "update" });
      expect(emptyAsNone(await configurationOf(stack))).toBe(emptyAsNone(before));
      await expectStable(stack, declared(inputs));
    },
  );
});

function emptyAsNone(text: unknown): string {
  return String(text).replace(/\[\]|\{\}/g, "None");
}
