import { AgentWorld } from "../../provider/agent-world";
import type { Stack } from "../../provider/stack";
import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { type Subject, type SubjectKind, subjectOf } from "./subjects";

jest.setTimeout(isLongRun ? 3_000_000 : 300_000);

/** Commands for a resource, in order. */
type Command =
  | { do: "up"; variant: number }
  | { do: "refresh" | "restart" | "change behind" | "delete behind" | "destroy" }
  /** An `up` in which one request or response is lost or rejected. */
  | { do: "faulty up"; variant: number; method: string; fault: "before" | "after" | 500 | 429; skip: number }
  /** An `up` whose provider is killed after its last request, before the engine has stored the result. */
  | { do: "killed up"; variant: number };

const variant = fc.nat({ max: 2 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("up" as const), variant }), weight: 4 },
  {
    arbitrary: fc.record({
      do: fc.constantFrom(
        "refresh" as const,
        "restart" as const,
        "change behind" as const,
        "delete behind" as const,
        "destroy" as const,
      ),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("faulty up" as const),
      variant,
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      fault: fc.constantFrom("before" as const, "after" as const, 500 as const, 429 as const),
      skip: fc.nat({ max: 2 }),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ do: fc.constant("killed up" as const), variant }), weight: 3 },
);

let world: AgentWorld;
const counted = {
  histories: 0,
  commands: 0,
  updates: 0,
  faults: 0,
  kills: 0,
  "external changes": 0,
  "maximum copies of a resource": 0,
};

beforeAll(async () => {
  world = await AgentWorld.start();
});
afterAll(() => recordFigures("contents", counted));

/** Returns the objects of other owners on the agent server, none of which may change. */
async function othersAt(): Promise<unknown> {
  const filter = { metadata: { others: true } };
  return Promise.all([
    world.ask("POST", "/assistants/search", filter),
    world.ask("POST", "/runs/crons/search", filter),
    world.ask("POST", "/threads/search", filter),
    world.ask("POST", "/store/items/search", { namespace_prefix: ["others"] }),
  ]);
}

beforeAll(async () => {
  const metadata = { others: true };
  await world.ask("POST", "/assistants", { graph_id: "agent", name: "Name 0", metadata });
  await world.ask("POST", "/runs/crons", { assistant_id: "agent", schedule: "0 9 * * *", metadata });
  await world.ask("POST", "/threads", { metadata });
  await world.ask("PUT", "/store/items", { namespace: ["others"], key: "one", value: { variant: 0 } });
});

async function play(subject: Subject, stack: Stack, { do: action, ...how }: Command): Promise<void> {
  counted.commands += 1;
  const wanted = "variant" in how ? subject.inputs(how.variant) : {};
  switch (action) {
    case "up":
      counted.updates += 1;
      await stack.up(wanted);
      return;
    case "faulty up": {
      const { method, fault, skip } = how as Extract<Command, { do: "faulty up" }>;
      counted.faults += 1;
      const path = "/agents/**";
      // The first matching fault applies.
      if (skip > 0) world.admin.fault({ kind: "delay", ms: 0, method, path, times: skip });
      world.admin.fault(
        typeof fault === "number"
          ? { kind: "status", status: fault, method, path }
          : { kind: "reset", when: fault, method, path },
      );
      await stack.up(wanted);
      world.admin.clearFaults();
      return;
    }
    case "killed up": {
      counted.kills += 1;
      const { id, inputs, outputs, incomplete } = stack;
      await stack.up(wanted);
      Object.assign(stack, { id, inputs, outputs, incomplete, pending: [] });
      stack.host = world.host(subject.kind);
      return;
    }
    case "refresh":
      if (stack.id !== undefined) await stack.refresh();
      return;
    case "restart":
      stack.host = world.host(subject.kind);
      return;
    case "change behind":
      counted["external changes"] += 1;
      return subject.changeBehind();
    case "delete behind":
      counted["external changes"] += 1;
      return subject.deleteBehind();
    case "destroy":
      if (stack.id !== undefined) await stack.destroy().catch(() => {});
  }
}

const kinds: SubjectKind[] = ["assistant", "cron", "storeItem", "storeItems", "thread"];

test.each(kinds)("keeps one object after any faults, and the next update restores it (%s)", async (kind) => {
  const others = await othersAt();
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 8 }), variant, async (commands, last) => {
      counted.histories += 1;
      const subject = subjectOf(world, kind);
      const stack = world.stack(kind);
      // Servers do not report the owner of an item. Items of an interrupted `up` remain if no later `up` declares them.
      const cut = commands.flatMap((one) =>
        one.do === "killed up" || one.do === "faulty up" ? [one.variant] : [],
      );
      const left = kind === "storeItems" ? cut.map((number) => `only-${number}`) : [];
      const found = async (wanted: readonly unknown[]) => {
        const keyOf = (one: unknown) => (one as { key?: string }).key ?? "";
        const keys = wanted.map(keyOf);
        return (await subject.found()).filter(
          (one) => keys.includes(keyOf(one)) || !left.includes(keyOf(one)),
        );
      };
      for (const one of commands) {
        await play(subject, stack, one);
        if (kind === "storeItems") continue;
        const count = (await subject.found()).length;
        counted["maximum copies of a resource"] = Math.max(counted["maximum copies of a resource"], count);
        expect(count).toBeLessThanOrEqual(1);
      }
      if (stack.id !== undefined) await stack.refresh();
      const up = await stack.up(subject.inputs(last));
      expect([up.failure?.message, up.checkFailures]).toEqual([undefined, []]);
      expect(await found(subject.expected(last))).toEqual(subject.expected(last));
      world.writes();
      expect(await stack.up(subject.inputs(last))).toMatchObject({ step: "same" });
      await stack.refresh();
      expect(await stack.up(subject.inputs(last))).toMatchObject({ step: "same" });
      expect(world.writes()).toEqual([]);
      await stack.destroy();
      expect(await found([])).toEqual([]);
    }),
    { numRuns: isLongRun ? 300 : 10 },
  );
  expect(await othersAt()).toEqual(others);
});
