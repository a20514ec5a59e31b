import { RolloutFailure, type SteeringPlan } from "../../emulator/index";
import { type LogsOptions, showLogs } from "../../cli/logs/show-logs";
import { canary, type World } from "../provider/world";
import { Run } from "./connection-run";
import { make, SteeredRunner, worldOf } from "./logs-world";

const run = (world: World, name: string, options: LogsOptions = {}, isTTY = false) =>
  new Run(world, (surroundings) => showLogs(surroundings, name, options), { isTTY });

const said = (message: string, type: "build" | "deploy" = "deploy") => ({ message, type });

describe.each(["interface", "langsmith"] as const)("in the %s dialect", (dialect) => {
  /** Creates a deployment named `agent` that has completed one rollout with this plan. */
  async function agentSaying(plan: SteeringPlan): Promise<World> {
    const world = await worldOf(dialect);
    world.admin.steer({ pace: "at once", ...plan });
    await make(world, "agent", dialect);
    await world.clock.advance(0);
    return world;
  }

  test("prints the runtime log of the newest revision with time and level, by name and by ID", async () => {
    const logs = [said("built", "build"), said("hello"), { ...said("no model"), level: "ERROR" as const }];
    const world = await agentSaying({ logs });
    const [{ id }] = ((await world.request("GET", "/v2/deployments")) as { resources: { id: string }[] })
      .resources as [{ id: string }];

    for (const named of ["agent", id]) {
      const logsRun = run(world, named);

      expect(await logsRun.ended).toBe(0);
      expect(logsRun.stdout).toBe(
        "2026-01-01T00:00:00.000Z INFO    hello\n2026-01-01T00:00:00.000Z ERROR   no model\n",
      );
      expect(logsRun.stderr).toMatch(/^Runtime log of revision \S+ \(DEPLOYED\) of deployment "agent"\n$/);
    }
  });

  test("prints the whole log across pages, in order and without duplicates", async () => {
    const logs = Array.from({ length: 2_345 }, (_, place) => said(`line ${place}`, "build"));
    const world = await agentSaying({ logs });

    const whole = run(world, "agent", { build: true });
    const tail = run(world, "agent", { build: true, lines: 1_100 });

    const all = logs.map(({ message }) => message);
    expect(await whole.ended).toBe(0);
    expect(messagesIn(whole)).toEqual(all);
    expect(await tail.ended).toBe(0);
    expect(messagesIn(tail)).toEqual(all.slice(-1_100));
  });

  test("prints only lines at or above a level, and applies --lines after filtering", async () => {
    const levels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] as const;
    const logs = levels.flatMap((level) =>
      Array.from({ length: 300 }, (_, place) => ({ ...said(`${level} ${place}`), level })),
    );
    const world = await agentSaying({ logs });

    const warnings = run(world, "agent", { level: "warning" });
    const newest = run(world, "agent", { level: "info", lines: 1_001 });
    const none = run(world, "agent", { level: "error", build: true });

    expect(await warnings.ended).toBe(0);
    expect(messagesIn(warnings).map((message) => message.trim())).toEqual(
      logs.slice(600).map(({ message }) => message),
    );
    expect(await newest.ended).toBe(0);
    expect(messagesIn(newest).map((message) => message.trim())).toEqual(
      logs.slice(-1_001).map(({ message }) => message),
    );
    expect(await none.ended).toBe(0);
    expect(none.stderr).toContain("The log has no lines of level error or above.\n");
  });

  test("accepts a prefix of a revision ID", async () => {
    const world = await agentSaying({ logs: [said("first")] });
    const { latest_revision_id: first } = (await theAgent(world)) as { latest_revision_id: string };
    world.admin.steer({ pace: "at once", logs: [said("second")] });
    world.admin.pushRevision("agent");
    await world.clock.advance(0);

    const newest = run(world, "agent");
    const older = run(world, "agent", { revision: first.slice(0, 8) });
    const none = run(world, "agent", { revision: "0000" });

    await newest.ended;
    expect(messagesIn(newest).map((message) => message.trim())).toEqual(["second"]);
    expect(await older.ended).toBe(0);
    expect(messagesIn(older)).toEqual(["first"]);
    expect(await none.ended).toBe(1);
    expect(none.stderr).toBe('agentserver: The deployment "agent" has no revision "0000".\n');
  });

  test("redacts known secrets", async () => {
    const world = await agentSaying({ logs: [said(`key ${canary}-key, model ${canary}-model`)] });

    const logsRun = run(world, "agent");

    await logsRun.ended;
    expect(messagesIn(logsRun)).toEqual(["key [secret], model [secret]"]);
  });

  test("redacts a secret that is split by a color code", async () => {
    const split = `key ${canary.slice(0, 3)}\u001b[31m${canary.slice(3)}-model\u001b[0m`;
    const logsRun = run(await agentSaying({ logs: [said(split)] }), "agent");
    await logsRun.ended;
    expect(messagesIn(logsRun)).toEqual(["key [secret]"]);
  });

  test("escapes control characters and indents continuation lines", async () => {
    const message = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u009b2J\rover\b\u202e\nsecond\tline\n";
    const world = await agentSaying({ logs: [said(message)] });

    const seen = run(world, "agent", {}, true);
    const piped = run(world, "agent");

    await seen.ended;
    expect(seen.stdout).toBe(
      "2026-01-01T00:00:00.000Z INFO    red \\x1b]0;title\\x07\\x9b2J\\x0dover\\x08\\u202e\n  second\tline\n",
    );
    await piped.ended;
    expect(piped.stdout).toBe(seen.stdout);
  });

  test("reports an empty log and suggests the build log after a failed build", async () => {
    const world = await agentSaying({ verdict: "BUILD_FAILED" });

    const logsRun = run(world, "agent");

    expect(await logsRun.ended).toBe(0);
    expect(logsRun.stdout).toBe("");
    expect(logsRun.stderr).toContain(
      "The log is empty. The revision is BUILD_FAILED: read its build log with --build.\n",
    );
  });

  test("exits with a separate code if the server has no logs", async () => {
    const world = await agentSaying({});
    const path = "/v2/deployments/:id/revisions/:revision/logs";
    world.admin.fault({ kind: "status", status: 404, method: "GET", path, times: 9 });

    for (const options of [{}, { build: true, follow: true }, { lines: 3 }]) {
      const logsRun = run(world, "agent", options);

      expect(await logsRun.ended).toBe(3);
      expect(logsRun.stderr).toContain("agentserver: The log is not available because this server");
      expect(logsRun.stdout).toBe("");
    }
  });

  test("distinguishes a server that fails from one that has no logs", async () => {
    const world = await agentSaying({ logs: [said("hello")] });
    const path = "/v2/deployments/:id/revisions/:revision/logs";
    world.admin.fault({ kind: "status", status: 500, method: "GET", path, times: 99 });

    const logsRun = run(world, "agent");

    expect(await logsRun.ended).toBe(1);
    expect(logsRun.stderr).toContain("returned 500");
    expect(logsRun.stderr).toContain("Retrying in ");
  });

  test("reports a missing deployment and a rejected key on one line", async () => {
    const world = await worldOf(dialect);
    const missing = run(world, "agent");
    const refused = new Run(world, (surroundings) => showLogs(surroundings, "agent", {}), {
      env: { AGENTSERVER_API_KEY: "another" },
    });

    expect(await missing.ended).toBe(1);
    expect(missing.stderr).toBe(
      'agentserver: This workspace has no deployment with the name or ID "agent". Run `npx agentserver status` to list all deployments.\n',
    );
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toMatch(/^agentserver: .* returned 401: .*AGENTSERVER_API_KEY.*\n$/);
  });

  describe("--follow", () => {
    test.each([
      ["DEPLOYED", undefined, 0],
      ["BUILD_FAILED", new RolloutFailure("BUILD_FAILED", "no such ref"), 2],
    ])("prints the whole build log, and exits when the revision is %s", async (status, failure, code) => {
      const runner = new SteeredRunner();
      const world = await worldOf(dialect, { runner });
      await make(world, "agent", dialect);
      await world.clock.advance(0);
      const { report, finish } = runner.last;
      report.log("build", "INFO", "cloning");

      const logsRun = run(world, "agent", { build: true, follow: true });
      await logsRun.until("cloning");
      for (let line = 0; line < 1_200; line += 1) report.log("build", "INFO", `installing ${line}`);
      await logsRun.until("installing 1199");
      report.log("deploy", "INFO", "another log");
      report.log("build", "INFO", "last words");
      finish(failure);

      expect(await logsRun.ended).toBe(code);
      const installing = Array.from({ length: 1_200 }, (_, line) => `installing ${line}`);
      expect(messagesIn(logsRun)).toEqual(["cloning", ...installing, "last words"]);
      expect(logsRun.stderr).toMatch(new RegExp(`Revision \\S+ is ${status}\\.\\n$`));
    });

    test("prints the runtime log after the rollout until Ctrl-C", async () => {
      const runner = new SteeredRunner();
      const world = await worldOf(dialect, { runner });
      await make(world, "agent", dialect);
      await world.clock.advance(0);
      const { report, finish } = runner.last;
      for (const line of ["one", "two", "three"]) report.log("deploy", "INFO", line);

      const logsRun = run(world, "agent", { follow: true, lines: 2 });
      await logsRun.until("three");
      finish();
      report.log("deploy", "INFO", "four");
      await logsRun.until("four");
      logsRun.interrupt();

      expect(await logsRun.ended).toBe(130);
      expect(messagesIn(logsRun)).toEqual(["two", "three", "four"]);
      expect(logsRun.stderr).not.toContain("agentserver:");
    });

    test.each([{ build: true }, {}])(
      "continues after transient failures of the control plane (%j)",
      async (kind) => {
        const runner = new SteeredRunner();
        const world = await worldOf(dialect, { runner });
        await make(world, "agent", dialect);
        await world.clock.advance(0);
        const type = kind.build ? "build" : "deploy";
        runner.last.report.log(type, "INFO", "before");

        const logsRun = run(world, "agent", { ...kind, follow: true });
        await logsRun.until("before");
        world.admin.fault({ kind: "status", status: 500, method: "GET", path: "/**", times: 8 });
        runner.last.report.log(type, "INFO", "after");
        await logsRun.until("after");
        logsRun.interrupt();

        expect(await logsRun.ended).toBe(130);
        expect(messagesIn(logsRun)).toEqual(["before", "after"]);
        expect(logsRun.stderr).toContain("agentserver: GET ");
      },
    );

    test("exits with an error when the deployment is deleted", async () => {
      const world = await agentSaying({ logs: [said("hello")] });
      const { id } = (await theAgent(world)) as { id: string };

      const logsRun = run(world, "agent", { follow: true });
      await logsRun.until("hello");
      await world.request("DELETE", `/v2/deployments/${id}`);

      expect(await logsRun.ended).toBe(1);
      expect(logsRun.stderr).toContain("no longer exists");
    });
  });
});

function messagesIn({ stdout }: Run): string[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.slice("2026-01-01T00:00:00.000Z INFO    ".length));
}

async function theAgent(world: World): Promise<unknown> {
  return ((await world.request("GET", "/v2/deployments")) as { resources: unknown[] }).resources[0];
}
