import { everyKill, killedAt } from "../../killed";
import { agentAt, World } from "../../world";
import { both, expectFinish, operations, revisionsOf } from "./killed-operations";

const table = operations.flatMap((operation) =>
  operation.dialects.map((dialect) => [operation.name, dialect, operation] as const),
);

describe.each(table)("a killed operation (%s, %s dialect)", (_name, dialect, operation) => {
  test.each(everyKill(7))("is finished by the next update after %j", (kill) =>
    expectFinish(operation, dialect, kill),
  );
});

describe.each(both)("a killed update that rolls back (%s dialect)", (dialect) => {
  const commits = ["a".repeat(40), "b".repeat(40)] as const;
  const goingBack = (commit: string) => agentAt(commit, { rollout: { onFailure: "rollback" } });

  test.each(everyKill(10))("is finished by the next update after %j", async (kill) => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(goingBack(commits[0]));
    const { id, inputs, outputs } = stack;
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    if (!(await killedAt(kill, () => stack.up(goingBack(commits[1]))))) return;
    Object.assign(stack, { id, inputs, outputs, host: world.host() });
    world.admin.steer({ verdict: "DEPLOYED" });
    const made = (await revisionsOf(world, stack.deploymentId)).length;

    expect((await stack.up(goingBack(commits[1]))).failure).toBeUndefined();

    const revisions = await revisionsOf(world, stack.deploymentId);
    expect(revisions.length - made).toBeLessThanOrEqual(1);
    expect(revisions[0]).toMatchObject({ id: stack.state.settledRevision?.id, status: "DEPLOYED" });
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe(commits[1]);
    expect(await stack.up(goingBack(commits[1]))).toEqual({ step: "same", checkFailures: [] });
  });
});
