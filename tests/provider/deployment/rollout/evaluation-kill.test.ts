import { said } from "../../evaluated-agents";
import { everyKill, killedAt } from "../../killed";
import { cases, echo, evaluated, worldOf } from "./evaluation-world";

test("resumes after a kill at any request without rerunning finished cases", async () => {
  const judged = { input: { q: "a" } };
  const judge = { assistant: "judge" };
  const inputs = (ref: string) =>
    evaluated({ cases: [judged, ...cases("wrong")], judge, concurrency: 1, pass: 0.5 }, ref);
  const { agents, world } = await worldOf((graph, input) =>
    graph === "judge" ? said('{"score":1}') : echo(graph, input),
  );
  const stack = await world.deployed(evaluated({ cases: cases("z") }, "0"));
  let killed = 0;
  for (const kill of everyKill(90)) {
    agents.started.length = 0;
    agents.deleted = 0;
    world.forget();
    const ref = String(killed + 1);
    stack.host = world.host();
    if (!(await killedAt(kill, () => stack.up(inputs(ref))))) break;
    // Only a kill after the first deletion of a thread loses results.
    const mayRepeat = agents.deleted > 0;
    killed += 1;
    stack.host = world.host();
    expect((await stack.up(inputs(ref))).failure).toBeUndefined();
    expect(stack.state.verified.current?.verification.evaluation).toBe(0.5);
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(agents.threads.size).toBe(0);
    if (!mayRepeat) expect(agents.started.map(({ graph }) => graph)).toEqual(["agent", "judge", "agent"]);
  }
  expect(killed).toBeGreaterThan(40);
});
