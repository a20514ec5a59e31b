import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { promote, type PromoteArgs, type VerifiedArtifact, type VerifiedArtifacts } from "../../../sdk";
import { run } from "../../../sdk/functions/run";
import { repositoryRoot } from "../../../tools/repository";
import { agentAt, World } from "../../provider/world";
import { valueOf, withoutEngine } from "../program";

const [one, two] = ["1", "2"].map((digit) => digit.repeat(40)) as [string, string];
const to = { name: "support-agent" };
const tsxLoader = pathToFileURL(require.resolve("tsx")).href;

function entry(artifact: string): VerifiedArtifact {
  const verification = { ok: true, run: false };
  return {
    source: "github",
    artifact,
    revisionId: "r",
    verifiedAt: "2026-01-05T10:00:00.000Z",
    verification,
  };
}

const verified = (...artifacts: string[]): VerifiedArtifacts => {
  const history = artifacts.map(entry);
  return { current: history[0], history };
};

let logged: string[];

beforeEach(async () => {
  await withoutEngine();
  logged = [];
  jest.spyOn(pulumi.log, "info").mockImplementation((text) => Promise.resolve(void logged.push(text)));
});
afterEach(() => pulumi.runtime.setAllConfig({}));

/** Creates a control plane with a deployment of this commit, and connects the program to it. */
async function serving(
  commit: string | undefined,
  dialect: "interface" | "langsmith" = "langsmith",
  more = {},
) {
  const world = await World.start({ dialect });
  if (commit !== undefined) await world.deployed(agentAt(commit));
  const { baseUrl, apiKey, tenantId } = world.plane;
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": baseUrl,
    "agentserver:apiKey": apiKey,
    "agentserver:tenantId": tenantId,
    ...more,
  });
  return world;
}

const result = (args: Partial<PromoteArgs>) =>
  valueOf(promote({ from: verified(two, one), fromName: "staging", to, ...args }));

describe.each(["interface", "langsmith"] as const)("in the %s dialect", (dialect) => {
  test("promotes the commit, not the image that was built from it", async () => {
    await serving(one, dialect);
    expect(await result({})).toMatchObject({ artifact: two, sourceRevisionConfig: { repoRef: two } });
    expect(logged).toEqual([]);
  });

  test("keeps the active commit, and logs what is waiting", async () => {
    await serving(one, dialect, { "shop:approved": "1111111" });
    const { sourceRevisionConfig, waiting } = await result({ gate: { approvedFrom: "approved" } });
    expect(sourceRevisionConfig).toEqual({ repoRef: one, graphConfigPath: "langgraph.json" });
    expect(waiting).toBe(
      `support-agent stays at 1111111; 2222222 has been verified in staging since 2026-01-05 10:00 UTC and is waiting for approval: run \`pulumi config set --stack acme/dev approved ${two}\`.`,
    );
    expect(logged).toEqual([`Promotion: ${waiting}`]);
  });

  test("keeps the commit that the server recorded for a branch, or fails if there is none", async () => {
    const world = await serving("main", dialect);
    const { resources } = (await world.request("GET", "/v2/deployments")) as {
      resources: { source_revision_config: { repo_ref: string; repo_commit_sha: string | null } }[];
    };
    const { repo_commit_sha: commit, repo_ref: ref } = resources[0]!.source_revision_config;
    const kept = run(
      "promote",
      { from: verified(two, one), fromName: "staging", to, gate: { approved: null } },
      {},
    );
    if (commit) await expect(kept).resolves.toMatchObject({ artifact: commit });
    else await expect(kept).rejects.toThrow(`support-agent cannot stay at ${ref}, which is neither a commit`);
  });
});

test("rolls back to an earlier verified commit without changing the other environment", async () => {
  await serving(two);
  expect(await result({ gate: { approved: "1111111" } })).toMatchObject({ artifact: one });
});

test("runs checks only before a promotion", async () => {
  await serving(one);
  const check = jest.fn(() => false);
  expect(await result({ gate: { checks: [check] } })).toMatchObject({
    artifact: one,
    waiting: expect.stringContaining("but check function mockConstructor failed (it returned false)"),
  });
  expect(check).toHaveBeenCalledWith({ source: "github", artifact: two });
  check.mockClear();
  expect(await result({ from: verified(one), gate: { checks: [check] } })).toMatchObject({ artifact: one });
  expect(check).not.toHaveBeenCalled();
});

test("runs commands and functions in the order in which the gate lists them", async () => {
  await serving(one);
  const function1 = () => "first";
  const function2 = () => "third";
  await result({ gate: { checks: [function1, { command: ["echo", "second"] }, function2] } });
  expect(logged.map((text) => text.split(":\n")[1])).toEqual(["first", "second", "third"]);
});

test("uses the value of an output that a check function returns", async () => {
  await serving(one);
  for (const check of [() => pulumi.output(false), async () => pulumi.output(Promise.resolve(false))])
    expect(await result({ gate: { checks: [check] } })).toMatchObject({ artifact: one });
  expect(await result({ gate: { checks: [() => pulumi.output(true)] } })).toMatchObject({ artifact: two });
});

test("treats a check function as failed if an error in a callback is uncaught", async () => {
  await serving(one);
  const gate = {
    checks: [
      () =>
        new Promise(
          () =>
            void (process as NodeJS.EventEmitter).emit(
              "uncaughtExceptionMonitor",
              new Error("boom"),
              "uncaughtException",
            ),
        ),
    ],
  };
  expect(await result({ gate })).toMatchObject({
    artifact: one,
    waiting: expect.stringContaining("failed (boom)"),
  });
});

test("waits for a check that does not keep the process alive", async () => {
  const { environment } = await serving(one);
  const entryPoint = JSON.stringify(join(repositoryRoot, "sdk", "index.ts"));
  const check = "() => new Promise((resolve) => setTimeout(resolve, 100).unref())";
  const program = `const { promote } = require(${entryPoint});
promote({ from: ${JSON.stringify(verified(two))}, to: { name: "support-agent" }, gate: { checks: [${check}] } })
  .apply(({ artifact }) => console.log("promoted " + artifact));`;
  const run = promisify(execFile)(process.execPath, ["--import", tsxLoader, "-e", program], {
    env: { ...process.env, ...environment },
  });
  expect((await run).stdout).toContain(`promoted ${two}`);
});

test("lists the checks in a preview without running them", async () => {
  await withoutEngine(undefined, true);
  await serving(one);
  const check = jest.fn();
  const gate = { checks: [{ command: ["npm", "run", "smoke"] }, check] };
  expect(await result({ gate })).toMatchObject({ artifact: two });
  expect(check).not.toHaveBeenCalled();
  expect(logged).toEqual([
    "Promotion: support-agent will change to 2222222 if the update passes check `npm run smoke`, check function mockConstructor.",
  ]);
});

test("keeps an approved source in a preview if the previous environment is unknown", async () => {
  await withoutEngine(undefined, true);
  await serving(one);
  const from = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<VerifiedArtifacts>;
  expect(await result({ from, gate: { approved: "1111111" } })).toMatchObject({ artifact: one });
  const other = promote({ from, to, gate: { approved: "2222222" } }) as unknown as {
    isKnown: Promise<boolean>;
  };
  expect(await other.isKnown).toBe(false);
});

test("does not reveal a secret artifact", async () => {
  await serving(one);
  const promotion = promote({ from: pulumi.secret(verified(two)), to, gate: { approved: null } });
  expect(await valueOf(promotion)).toMatchObject({ artifact: one });
  expect(await pulumi.isSecret(promotion)).toBe(true);
  expect(logged).toHaveLength(1);
  expect(logged.join("")).not.toMatch(/1111111|2222222/);
  expect(logged.join("")).toMatch(/is waiting for approval: approve it as specified in `gate`\.$/);
});

test.each<[Partial<PromoteArgs>, string]>([
  [{ to: {} }, "promote: to requires exactly one of the following: a name or an agent"],
  [{ gate: {} }, "promote: gate needs at least one condition"],
  [{ gate: { approved: undefined } }, "promote: gate.approved is undefined; use null"],
  [
    { gate: { approved: "12345" } },
    "promote: gate.approved must be a commit (at least its first seven digits)",
  ],
  [
    { gate: { approved: two, approvedFrom: "key" } },
    "promote: gate.approvedFrom cannot be combined with approved",
  ],
  [{ gate: { soak: "soon" } }, "promote: gate.soak must be a positive duration of at most 30d"],
  [
    { gate: { window: { from: "9", to: "17:00", timeZone: "UTC" } } },
    'promote: gate.window.from must be a time such as "09:00"',
  ],
  [
    { gate: { window: { from: "09:00", to: "17:00", timeZone: "Mars" } } },
    'promote: gate.window.timeZone must be an IANA time zone such as "Europe/Berlin"',
  ],
  [
    { gate: { window: { from: "09:00", to: "09:00", timeZone: "UTC" } } },
    "promote: gate.window.to must differ from the start of the window",
  ],
  [{ gate: { checks: [{}] } }, "promote: gate.checks.0 requires a command or a url"],
  [
    { gate: { checks: [{ url: "ftp://example.com" }] } },
    "promote: gate.checks.0.url must be an http or https URL",
  ],
])("rejects %j before any request", (args, message) => {
  expect(() => promote({ from: verified(two), to, ...args })).toThrow(message);
});
