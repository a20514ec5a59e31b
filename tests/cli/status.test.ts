import { showStatus, type StatusOptions } from "../../cli/status/show-status";
import type { World } from "../provider/world";
import { Run } from "./connection-run";
import { make, worldOf } from "./logs-world";

const run = (world: World, options: StatusOptions = {}, isTTY = false) =>
  new Run(world, (surroundings) => showStatus(surroundings, options), { isTTY });

const owner = "0f3c9a7e-owner-mark";

describe.each(["interface", "langsmith"] as const)("in the %s dialect", (dialect) => {
  async function worldWith(...names: string[]): Promise<World> {
    const world = await worldOf(dialect);
    for (const name of names) await make(world, name, dialect);
    await world.clock.advance(60_000);
    return world;
  }

  test("shows active and newest revisions, times, URLs, and owners", async () => {
    const world = await worldWith("support");
    world.admin.steer({ verdict: "BUILD_FAILED", deployment: "research" });
    const researchId = await make(world, "research", dialect, owner);
    await world.clock.advance(60_000);
    world.admin.steer({ verdict: "DEPLOY_FAILED", deployment: "support" });
    const failed = world.admin.pushRevision("support");
    await world.clock.advance(60_000);
    const support = await deploymentNamed(world, "support");

    const status = run(world);

    expect(await status.ended).toBe(0);
    const [head, first, second, ...rest] = status.stdout.split("\n");
    expect(cellsOf(head)).toEqual([
      ..."NAME|STATUS|NEWEST REVISION|SERVING|SINCE (UTC)|PULUMI|URL".split("|"),
    ]);
    expect(cellsOf(first)).toEqual([
      "support",
      "READY",
      `${failed.slice(0, 8)} DEPLOY_FAILED`,
      support.active_revision_id!.slice(0, 8),
      "2026-01-01 00:00:05",
      "no",
      `${world.plane.baseUrl}/agents/${support.id}`,
    ]);
    const { latest_revision_id } = await deploymentNamed(world, "research");
    expect(cellsOf(second)).toEqual([
      "research",
      "UNKNOWN",
      `${latest_revision_id.slice(0, 8)} BUILD_FAILED`,
      "none",
      "yes",
    ]);
    expect(rest).toEqual([""]);
    expect(status.stdout + status.stderr).not.toContain(owner);

    const json = run(world, { json: true });
    expect(await json.ended).toBe(0);
    expect(JSON.parse(json.stdout)).toEqual([
      {
        name: "support",
        id: support.id,
        status: "READY",
        newestRevision: {
          id: failed,
          status: "DEPLOY_FAILED",
          createdAt: expect.stringMatching(/^2026-01-01T00:02:00/),
        },
        serving: { revisionId: support.active_revision_id, since: "2026-01-01T00:00:05.000Z" },
        url: `${world.plane.baseUrl}/agents/${support.id}`,
        pulumi: false,
        holder: null,
      },
      expect.objectContaining({ id: researchId, serving: null, url: null, pulumi: true }),
    ]);
    expect(json.stdout).not.toContain(owner);
  });

  test("lists all pages of a large workspace", async () => {
    const names = Array.from({ length: 205 }, (_, place) => `agent-${place}`);
    const world = await worldWith(...names);

    const status = run(world);

    expect(await status.ended).toBe(0);
    const shown = status.stdout.split("\n").slice(1, -1);
    expect(shown.map((line) => cellsOf(line)[0])).toEqual(names);
  });

  test("requests each page once, and requests details only if they are missing on the page", async () => {
    const world = await worldWith(...Array.from({ length: 150 }, (_, place) => `agent-${place}`));
    world.admin.steer({ verdict: "BUILD_FAILED", deployment: "agent-7" });
    const failed = world.admin.pushRevision("agent-7");
    await world.clock.advance(60_000);
    world.forget();

    const status = run(world, { json: true });

    expect(await status.ended).toBe(0);
    const asked = world.admin.journal().map(({ path }) => path.replace(/^.*v2/, "v2"));
    expect(asked.filter((path) => path === "v2/deployments")).toHaveLength(2);
    expect(asked.filter((path) => path !== "v2/deployments").length).toBeLessThanOrEqual(2);
    const shown = JSON.parse(status.stdout) as { name: string; newestRevision: object; serving: object }[];
    expect(shown).toHaveLength(150);
    expect(shown.find(({ name }) => name === "agent-7")?.newestRevision).toMatchObject({
      id: failed,
      status: "BUILD_FAILED",
    });
    expect(shown.find(({ name }) => name === "agent-8")).toMatchObject({
      newestRevision: { status: "DEPLOYED", createdAt: null },
      serving: { since: null },
    });

    const detailed = run(world, { json: true, details: true });
    expect(await detailed.ended).toBe(0);
    const all = JSON.parse(detailed.stdout) as { serving: { since: string | null } }[];
    expect(all.every(({ serving }) => serving.since !== null)).toBe(true);
  });

  test.each([
    [200, "NAME STATUS NEWEST REVISION SERVING SINCE (UTC) PULUMI URL"],
    [135, "NAME STATUS NEWEST REVISION SERVING PULUMI URL"],
    [80, "NAME STATUS NEWEST REVISION SERVING PULUMI"],
    [55, "NAME STATUS NEWEST REVISION SERVING"],
    [40, "NAME STATUS SERVING"],
    [26, "NAME STATUS SERVING"],
  ])(
    "fits the most important cells of each deployment into a line of %d characters",
    async (columns, head) => {
      const world = await worldWith("support-agent", "research");
      const status = new Run(world, (surroundings) => showStatus(surroundings, {}), { isTTY: true, columns });
      expect(await status.ended).toBe(0);
      const rows = status.stdout.split("\n").slice(0, 3);
      expect(rows[0]!.split(/ {2,}/).join(" ")).toBe(head);
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
      expect(rows[1]).toMatch(columns > 30 ? /^support-agent +READY/ : /^suppor.*… +READY/);
      expect(status.stdout.includes("Use --json to show everything")).toBe(columns < 135);
    },
  );

  test("counts wide characters as two columns, and does not split them", async () => {
    const world = await worldWith("支".repeat(30), "👩‍🚀".repeat(30));
    const status = new Run(world, (surroundings) => showStatus(surroundings, {}), {
      isTTY: true,
      columns: 50,
    });
    expect(await status.ended).toBe(0);
    const [, ...rows] = status.stdout.split("\n").slice(0, 3);
    for (const row of rows) {
      expect(row).toMatch(/^(支+|(👩‍🚀)+)… +READY/u);
      const wide = row.match(/支|👩‍🚀/gu)!.length;
      expect(row.replaceAll(/支|👩‍🚀/gu, "").length + 2 * wide).toBeLessThanOrEqual(50);
    }
  });

  test("reports that there are no deployments", async () => {
    const world = await worldOf(dialect);

    const table = run(world);
    const json = run(world, { json: true });

    await table.ended;
    expect(table.stdout).toBe("No deployments in this workspace.\n");
    await json.ended;
    expect(JSON.parse(json.stdout)).toEqual([]);
  });

  test("refreshes until Ctrl-C with --watch, and continues after a transient failure", async () => {
    const world = await worldOf(dialect);
    world.admin.steer({ statuses: ["BUILDING"], pace: "step by step" });
    await make(world, "support", dialect);

    const status = run(world, { watch: true });
    await status.until("CREATING");
    world.admin.fault({ kind: "status", status: 500, method: "GET", path: "/v2/deployments", times: 6 });
    await status.until("returned 500", "stderr");
    await world.admin.step("support");
    await status.until("BUILDING");
    status.interrupt();

    expect(await status.ended).toBe(130);
    expect(status.stdout).not.toContain("\u001b");
  });

  test("repaints a terminal with --watch", async () => {
    const world = await worldWith("support");

    const status = run(world, { watch: true }, true);
    await status.until("DEPLOYED");
    status.interrupt();

    expect(await status.ended).toBe(130);
    expect(status.stdout.startsWith("\u001b[H\u001b[JDeployments on ")).toBe(true);
  });

  test("prints one line per refresh with --watch --json", async () => {
    const world = await worldWith("support");

    const status = run(world, { watch: true, json: true });
    await status.until("]\n[");
    status.interrupt();

    expect(await status.ended).toBe(130);
    for (const line of status.stdout.trim().split("\n")) expect(JSON.parse(line)).toHaveLength(1);
  });
});

test("escapes control characters in names", async () => {
  const world = await worldOf("interface");
  await make(world, "evil\u001b[2J\u009b2J\nname", "interface");

  const table = run(world, {}, true);
  const json = run(world, { json: true }, true);

  await table.ended;
  expect(table.stdout).toContain("evil\\x1b[2J\\x9b2J name");
  await json.ended;
  expect(json.stdout).not.toMatch(/[\u001b\u009b]/);
  expect(JSON.parse(json.stdout)).toMatchObject([{ name: "evil\u001b[2J\u009b2J\nname" }]);
});

/** Returns the cells of a row. The values in these tests never contain two consecutive spaces. */
function cellsOf(line: string | undefined): string[] {
  return (line ?? "").split(/ {2,}/);
}

async function deploymentNamed(world: World, name: string) {
  const list = (await world.request("GET", `/v2/deployments?name=${name}`)) as {
    resources: { id: string; latest_revision_id: string; active_revision_id: string | null }[];
  };
  return list.resources[0]!;
}

test("shows pull request previews only if requested", async () => {
  const world = await worldOf("langsmith");
  const record = { source: "github", status: "READY", latest_revision_id: null, active_revision_id: null };
  const resources = [
    { ...record, id: "d-1", name: "support", is_preview: false },
    { ...record, id: "d-2", name: "support-pr-7", is_preview: true },
  ];
  const list = {
    kind: "status",
    status: 200,
    body: { resources, offset: 2 },
    path: "/v2/deployments",
  } as const;
  world.admin.fault({ ...list, times: 9 });
  const status = run(world);
  expect(await status.ended).toBe(0);
  expect(status.stdout).not.toContain("support-pr-7");
  const all = run(world, { previews: true, json: true });
  expect(await all.ended).toBe(0);
  expect(JSON.parse(all.stdout)).toMatchObject([
    { name: "support" },
    { name: "support-pr-7", preview: true },
  ]);
});

test("counts the contents of each deployment if requested, without waiting for a slow server", async () => {
  const world = await worldOf("interface");
  await make(world, "support", "interface");
  await make(world, "research", "interface");
  await world.clock.advance(60_000);
  const support = await deploymentNamed(world, "support");
  const counts = { threads: 5, assistants: 2, "runs/crons": 1 };
  for (const [kind, body] of Object.entries(counts)) {
    const path = `/agents/${support.id}/${kind}/count`;
    world.admin.fault({ kind: "status", status: 200, body, path, times: 9 });
  }
  const items = `/agents/${support.id}/store/items/search`;
  world.admin.fault({ kind: "status", status: 200, body: { items: [{}, {}] }, path: items, times: 9 });

  const table = run(world, { contents: true });
  const json = run(world, { contents: true, json: true });
  const plain = run(world, { json: true });

  expect(await table.ended).toBe(0);
  const [head, ...rows] = table.stdout.split("\n");
  expect(cellsOf(head).at(-1)).toBe("CONTENTS");
  expect(cellsOf(rows[0]).at(-1)).toBe("5 threads, 1 cron, 2 assistants, 2 store items");
  expect(cellsOf(rows[1]).at(-1)).toMatch(/^unknown: /);
  expect(await json.ended).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { contents: { threads: 5, crons: 1, assistants: 2, items: 2 } },
    { contents: { unknown: expect.any(String) } },
  ]);
  expect(await plain.ended).toBe(0);
  expect(plain.stdout).not.toContain("contents");
});
