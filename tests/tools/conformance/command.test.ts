import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../emulator/clock";
import { conformance } from "../../../tools/conformance/command";
import { Journal } from "../../../tools/conformance/journal";
import { repositoryRoot } from "../../../tools/repository";
import { type Rig, start, stopAll } from "../../emulator/control-plane/client";
import { temporaryFolder } from "../temporary-folder";

afterEach(stopAll);

function environment({ plane }: Rig): NodeJS.ProcessEnv {
  return {
    AGENTSERVER_BASE_URL: plane.baseUrl,
    AGENTSERVER_API_KEY: plane.apiKey,
    AGENTSERVER_TENANT_ID: plane.tenantId,
  };
}

/** Runs the command and returns its exit code and output. */
async function runIn(rig: Rig, words: string[], confirm?: (question: string) => Promise<boolean>) {
  const lines: string[] = [];
  const code = await conformance(words, {
    env: environment(rig),
    clock: { now: () => rig.clock.now(), sleep: rig.clock.advancingSleep },
    signal: new AbortController().signal,
    print: (text) => lines.push(text),
    ...(confirm && { confirm }),
  });
  return { code, output: lines.join("\n") };
}

const repository = ["--repository", "https://git.example.test/agents.git"];

test("creates nothing without consent, and lists what it would create", async () => {
  const rig = await start({ dialect: "langsmith" });
  const folder = temporaryFolder({ "langgraph.json": '{"dependencies":["."],"graphs":{}}' });
  const questions: string[] = [];
  const words = [...repository, "--folder", folder];
  const refusal = "Nothing was created. To create the deployments, pass --yes-create-deployments.";

  await expect(runIn(rig, words)).rejects.toThrow(refusal);
  await expect(
    runIn(rig, words, async (question) => {
      questions.push(question);
      return false;
    }),
  ).rejects.toThrow(refusal);

  expect(questions).toEqual(["Create these deployments?"]);
  expect(rig.plane.admin.journal({ writes: true })).toEqual([]);
});

test("writes both reports and returns 0 if nothing is refuted", async () => {
  const rig = await start({ dialect: "langsmith" });
  const folder = temporaryFolder({ "langgraph.json": '{"dependencies":["."],"graphs":{}}' });
  const output = temporaryFolder();

  const run = await runIn(rig, [
    ...[...repository, "--folder", folder, "--output", output],
    ...["--no-agents", "--yes-create-deployments"],
  ]);

  expect(run.code).toBe(0);
  expect(run.output).toContain("  - one with the source github\n  - one with the source internal_source\n");
  expect(run.output).toContain("may be billed");
  expect(readdirSync(output).sort()).toEqual(["report.json", "report.md"]);
  expect(readFileSync(join(output, "report.md"), "utf8")).toContain(
    "All throwaway deployments were deleted.",
  );
});

test("starts no run while the journal contains deployments, and deletes them with --clean", async () => {
  const rig = await start();
  const output = temporaryFolder();
  const journal = new Journal(join(output, "journal.jsonl"));
  const { tenantId } = rig.plane;
  const baseUrl = `${new URL(rig.plane.baseUrl).origin}/api-host`;
  journal.creating({ name: "as-conf-000000000001", baseUrl, tenantId, dialect: "interface" });
  const words = [...repository, "--output", output, "--yes-create-deployments"];

  await expect(runIn(rig, words)).rejects.toThrow(
    "contains deployments of another run: as-conf-000000000001. Wait until that run has ended",
  );
  expect(rig.plane.admin.journal({ writes: true })).toEqual([]);

  const clean = await runIn(rig, ["--output", output, "--clean"]);
  expect([clean.code, clean.output]).toEqual([0, "All deployments in the journal are deleted."]);
  expect(journal.leftovers()).toEqual([]);
});

test("rejects a key over plain HTTP, and a run without a source", async () => {
  const rig = await start();

  await expect(runIn(rig, [...repository, "--base-url", "http://agents.example.com"])).rejects.toThrow(
    "The key is not sent to http://agents.example.com/api-host without TLS.",
  );
  await expect(runIn(rig, ["--yes-create-deployments"])).rejects.toThrow("Specify a source");
});

test("deletes everything after SIGINT in its own process", async () => {
  const rig = await start({ clock: systemClock, secondsPerStatus: 60 });
  const output = temporaryFolder();
  const script = join(repositoryRoot, "tools", "commands", "conformance.ts");
  const child = spawn(
    process.execPath,
    ["--import", "tsx", script, ...repository, "--output", output, "--yes-create-deployments"],
    { cwd: repositoryRoot, env: { ...process.env, ...environment(rig) } },
  );
  let shown = "";
  child.stdout.on("data", (text: Buffer) => {
    shown += text.toString();
    if (text.includes("waiting for the rollouts")) child.kill("SIGINT");
  });

  const [code] = (await once(child, "exit")) as [number];

  expect(shown).toContain("The run ended early: interrupted by SIGINT");
  expect(code).toBe(130);
  const { body } = await rig.client.get<{ resources: unknown[] }>("/v2/deployments");
  expect(body.resources).toEqual([]);
  expect(readdirSync(output).sort()).toEqual(["report.json", "report.md"]);
}, 60_000);
