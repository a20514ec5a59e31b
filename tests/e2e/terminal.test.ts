import { declaring } from "./programs";
import type { Stack } from "./stack";
import { TerminalRun } from "./terminal";
import { World } from "./world";

let world: World;
const runs: TerminalRun[] = [];

beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.admin.reset());
afterAll(() => {
  for (const run of runs) run.kill();
  return world.end();
});

const commits = { one: "1".repeat(40), two: "2".repeat(40) };

function declare(stack: Stack, repoRef: string): void {
  const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
  stack.program(declaring({ name: stack.name, sourceRevisionConfig, rollout: { onFailure: "rollback" } }));
}

/** Runs an engine command in a terminal and observes the row of the deployment. */
function run(stack: Stack, columns: number, ...words: string[]): TerminalRun {
  const place = {
    columns,
    text: "/agentserver:Deployment  agent",
    cwd: stack.folder,
    env: world.environment,
  };
  const started = new TerminalRun([world.engine.pulumi, ...words, "--yes", "--stack", stack.name], place);
  runs.push(started);
  return started;
}

const up = (stack: Stack, columns: number) => run(stack, columns, "up", "--skip-preview");

/** Advances a rollout through the statuses. Before each step, waits until the row shows the previous status. */
async function steps(
  stack: Stack,
  terminal: TerminalRun,
  statuses: string[],
  shown: (status: string) => string,
) {
  for (const status of statuses) {
    await terminal.reaches(() => terminal.seen.some((row) => row.includes(shown(status))));
    await world.admin.step(stack.name);
  }
}

test("shows the status next to the engine's text in 80 columns without line breaks", async () => {
  const stack = await world.stack("s80");
  const shown: string[][] = [];
  for (const repoRef of [commits.one, commits.two]) {
    world.admin.steer({ pace: { afterSeconds: 2 } });
    declare(stack, repoRef);
    const terminal = up(stack, 80);
    await terminal.ended;
    shown.push(terminal.seen);
    expect(terminal.lines.join("\n")).toContain("DEPLOYED after");
  }
  const destroyed = run(stack, 80, "destroy");
  await destroyed.ended;
  shown.push(destroyed.seen);
  for (const [place, word] of ["creating", "updating", "deleting"].entries())
    expect(shown[place]!.join("\n")).toMatch(new RegExp(` agent +${word} \\(\\d`));
  expect((await world.deployments()).filter(({ name }) => name === "s80")).toEqual([]);
});

test("shows each phase of a create next to the elapsed seconds in 100 columns", async () => {
  const stack = await world.stack("s100");
  world.admin.steer({ pace: "step by step", statuses: ["BUILDING", "DEPLOYING", "DEPLOYED"] });
  declare(stack, commits.one);
  const terminal = up(stack, 100);
  await steps(stack, terminal, ["CREATING", "BUILDING", "DEPLOYING"], (status) => `  ${status}, `);
  await terminal.ended;
  const rows = terminal.seen.filter((row) => row.includes("BUILDING"));
  for (const row of rows) expect(row).toMatch(/ creating \(\d+s\)\.* +BUILDING, /);
});

test("shows the phase of an update after the changes, and a whole rollback, in 120 columns", async () => {
  const stack = await world.stack("s120");
  declare(stack, commits.one);
  world.admin.steer({ pace: { afterSeconds: 2 } });
  await up(stack, 120).ended;
  world.admin.steer({ pace: "step by step", statuses: ["BUILDING", "BUILD_FAILED"], times: 1 });
  declare(stack, commits.two);
  const terminal = up(stack, 120);
  const cut = (text: string) => `[diff: ~sourceRevisionConfig]; ${text.slice(0, 5)}`;
  await steps(stack, terminal, ["CREATING", "BUILDING"], cut);
  await terminal.ended;
  const column = terminal.seen
    .map((row) => /\]; (.*)$/.exec(row)?.[1] ?? "")
    .filter((text) => /^[A-Zr]/.test(text));
  const rolledBack = column.findIndex((text) => text.startsWith("rollb"));
  expect(rolledBack).toBeGreaterThan(0);
  for (const text of column.slice(rolledBack)) expect(text).toMatch(/^rollb/);
});
