import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSupervised, type SupervisedCommandOptions } from "../../../emulator/process/supervised-command";
import {
  killTreesOf,
  newProcessTree,
  treeOwner,
  type TreeHold,
} from "../../../emulator/process/process-tree";
import { readJson } from "../../json";
import { until } from "../../tools/waiting";
import { temporaryFolder } from "../rollout/repository";
import { alive, daemons, type Departure, idsIn } from "./daemons";

const everything: Departure[] = ["background", "session", "daemon", "bare"];
/**
 * Detached processes that each mechanism can find. The environment alone does not identify a process that clears its
 * environment.
 */
const reach: Record<TreeHold, Departure[]> = {
  cgroup: everything,
  reaper: everything,
  environment: ["background", "session", "daemon"],
};
const strongest = newProcessTree().hold;
const possible: Record<TreeHold, boolean> = {
  cgroup: strongest === "cgroup",
  reaper: strongest !== "environment" && spawnSync("perl", ["-e", "1"]).status === 0,
  environment: true,
};
const holds = (Object.keys(possible) as TreeHold[]).filter((hold) => possible[hold]);
const impossible = (Object.keys(possible) as TreeHold[]).filter((hold) => !possible[hold]);
if (impossible.length > 0)
  process.stderr.write(`Not tested, as this machine does not have it: holding by ${impossible.join(", ")}\n`);

const started: (() => void)[] = [];
afterEach(() => started.splice(0).forEach((kill) => kill()));

/**
 * Returns a shell command that starts a chain of processes in a separate session. Each process starts the next one and
 * exits.
 */
function chain(file: string): string {
  const link = `%ENV = (); for (;;) { exit if fork; syswrite F, "."; select undef, undef, undef, 0.001 }`;
  return (
    `(setsid perl -e 'open F, ">>", "$ARGV[0].chain"; flock F, 2; ${link}' ${file} </dev/null >/dev/null 2>&1 &)\n` +
    `while [ ! -s ${file}.chain ]; do sleep 0.02; done`
  );
}

function run(hold: TreeHold, more = "", settings: Partial<SupervisedCommandOptions> = {}) {
  const folder = temporaryFolder("scope");
  const file = join(folder, "ids");
  const command = startSupervised({
    command: "sh",
    args: ["-c", `${daemons(file, reach[hold])}\n${more}`, file],
    folder,
    environment: { PATH: process.env["PATH"]! },
    hold,
    ...settings,
    line: () => undefined,
  });
  started.push(() => alive(file).forEach((pid) => process.kill(pid, "SIGKILL")));
  return { ...command, file };
}

describe.each(holds)("a process tree that is tracked by its %s", (hold) => {
  test("is stopped when the command exits", async () => {
    const { ended, file } = run(hold, "exit 3");
    expect(await ended).toEqual({ code: 3, signal: null });
    expect(idsIn(file)).toHaveLength(reach[hold].length);
    expect(alive(file)).toEqual([]);
  });

  test("is stopped together with the command", async () => {
    const { ended, kill, file } = run(hold, "sleep 1000");
    await until(() => idsIn(file).length === reach[hold].length);
    kill();
    await ended;
    expect(alive(file)).toEqual([]);
  });

  test("is stopped even if the command has suspended its supervisor", async () => {
    const { ended, kill, file } = run(hold, `kill -STOP $PPID; echo $PPID >> $0; sleep 1000`, {
      maxWaitMs: 100,
    });
    await until(() => idsIn(file).length === reach[hold].length + 1);
    kill();
    expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
    expect(alive(file)).toEqual([]);
  });

  if (hold !== "environment")
    test("is stopped even if its processes repeatedly fork and exit", async () => {
      const { ended, file } = run(hold, `${chain("$0")}\nexit 3`);
      expect(await ended).toEqual({ code: 3, signal: null });
      // The processes of the chain inherit the lock, which is released when all have ended.
      expect(spawnSync("flock", ["--nonblock", `${file}.chain`, "true"]).status).toBe(0);
    });

  test("is stopped when the command is terminated by a signal", async () => {
    const { ended, file } = run(hold, "kill -9 $$");
    expect(await ended).toEqual({ code: 137, signal: "SIGKILL" });
    expect(alive(file)).toEqual([]);
  });
});

describe.each(holds)("a supervised command that is tracked by its %s", (hold) => {
  test("passes the environment only to its command", async () => {
    const folder = temporaryFolder("scope");
    const file = join(folder, "programs");
    writeFileSync(
      join(folder, "telemetry.cjs"),
      `require("fs").appendFileSync("${file}", process.argv[1] + "\\n")`,
    );
    const lines: string[] = [];
    const environment = {
      NODE_OPTIONS: "--require ./telemetry.cjs",
      PATH: "/nowhere",
      PERL5OPT: "-MNoSuchModule",
      PERL_BADLANG: "1",
    };
    const script = join(folder, "print.cjs");
    writeFileSync(script, "console.log(JSON.stringify(process.env))");
    const { ended } = startSupervised({
      command: process.execPath,
      args: [script],
      folder,
      environment,
      hold,
      line: (line) => void lines.push(line),
    });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(lines).toHaveLength(1);
    expect(readJson(lines[0]!)).toEqual({ ...environment, AGENTSERVER_SCOPE: expect.any(String) });
    expect(readFileSync(file, "utf8")).toBe(`${script}\n`);
  });
});

test("stops all processes of a tree if the supervisor is killed", async () => {
  const hold = strongest === "cgroup" ? strongest : "environment";
  const { ended, pid, file } = run(hold, "sleep 1000");
  await until(() => idsIn(file).length === reach[hold].length);
  process.kill(pid!, "SIGKILL");
  expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
  expect(alive(file)).toEqual([]);
});

test("stops all process trees of an owner, but not those of other owners", async () => {
  const hold = strongest === "cgroup" ? strongest : "environment";
  const [owner, other] = [temporaryFolder("owner"), temporaryFolder("owner")].map((folder) =>
    treeOwner(folder),
  );
  const kept = run(hold, "sleep 1000", { owner: other! });
  // The supervisor process is suspended, so it stops nothing. This process only waits for the supervisor, so it stops
  // nothing either.
  const left = run(hold, "kill -STOP $PPID; sleep 1000", { owner: owner! });
  await until(() => [kept, left].every(({ file }) => idsIn(file).length === reach[hold].length));
  await killTreesOf([owner!]);
  expect(alive(left.file)).toEqual([]);
  expect(alive(kept.file)).toHaveLength(reach[hold].length);
  kept.kill();
  await Promise.all([kept.ended, left.ended]);
});

test("does not stop the processes of other trees", async () => {
  const other = run("environment", "sleep 1000");
  await until(() => idsIn(other.file).length === 3);
  await run("environment").ended;
  expect(alive(other.file)).toHaveLength(3);
  other.kill();
  await other.ended;
});

if (strongest === "cgroup")
  test("does not use a control group in which no subgroup can be created", () => {
    const group = join(newProcessTree().cgroup!, "..", `agentserver-full-${process.pid}`);
    mkdirSync(group);
    try {
      const script = join(__dirname, "fixtures/print-hold.ts");
      const holdThere = () =>
        spawnSync(process.execPath, ["--import", "tsx", script, group], { encoding: "utf8" }).stdout;
      expect(holdThere()).toBe("cgroup");
      writeFileSync(join(group, "cgroup.max.descendants"), "0");
      expect(holdThere()).toBe(possible.reaper ? "reaper" : "environment");
    } finally {
      rmdirSync(group);
    }
  });
