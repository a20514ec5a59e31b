import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureEngine } from "../../../tools/dev-engine/ensure";
import { gone, until } from "../waiting";
import { Machine } from "./machine";

const root = join(__dirname, "..", "..", "..");
const hang = "/bin/sleep 1000";
const isUnfinished = (name: string) => name.startsWith(".unfinished-");

const entries = (machine: Machine) => readdirSync(join(machine.cache, "engine"));

test("stops the build and its processes if aborted, and leaves nothing behind", async () => {
  const machine = new Machine();
  // The command consists of many short sleeps, because a shell runs its signal trap only between commands.
  const busy = "while :; do /bin/sleep 0.1; done";
  machine.withGo({
    build: `trap 'echo yes > ${machine.log("tidied")}; exit 1' INT; echo yes > ${machine.log("ready")}; ${busy}`,
  });
  const abort = new AbortController();
  const building = ensureEngine({ ...machine.options, signal: abort.signal });
  const settled = expect(building).rejects.toThrow("enough");
  await until(() => machine.lines("ready").length > 0);

  abort.abort(new Error("enough"));

  await settled;
  await gone(Number(machine.lines("started")[0]));
  expect(machine.lines("tidied")).toEqual(["yes"]);
  expect(entries(machine)).toEqual([]);
});

test("deletes the files of a killed build, and builds again", async () => {
  const machine = new Machine().withGo({ build: hang });
  const builder = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      "-e",
      `require(${JSON.stringify(join(root, "tools/dev-engine/ensure.ts"))}).ensureEngine()`,
    ],
    { cwd: root, env: { ...machine.env, AGENTSERVER_ENGINE: "build" } },
  );
  await until(() => machine.lines("started").length > 0);
  builder.kill("SIGKILL");
  await gone(builder.pid!);
  process.kill(-Number(machine.lines("started")[0]), "SIGKILL");
  expect(entries(machine).filter(isUnfinished)).toHaveLength(1);
  expect(entries(machine).filter((name) => !name.startsWith("."))).toEqual([]);

  const engine = await ensureEngine(machine.withGo().options);

  expect(engine.origin).toBe("built");
  expect(entries(machine).filter(isUnfinished)).toEqual([]);
});

test("waits for another process that is building the engine", async () => {
  const machine = new Machine();
  const go = machine.log("go-on");
  machine.withGo({ build: `while [ ! -e ${go} ]; do /bin/sleep 0.05; done` });
  const phases: string[] = [];
  const first = ensureEngine(machine.options);
  await until(() => machine.lines("started").length > 0);
  const progress = {
    step: async (_: string, work: (report: (phase: string) => void) => Promise<unknown>) =>
      work((phase) => phases.push(phase)),
  };
  const second = ensureEngine({ ...machine.options, progress: progress as never });
  await until(() => phases.length > 0);

  writeFileSync(go, "");

  const engines = await Promise.all([first, second]);
  expect(engines[1].pulumi).toBe(engines[0].pulumi);
  expect(phases).toEqual([`waiting for process ${process.pid}, which is already doing this`]);
  expect(machine.lines("builds")).toHaveLength(1);
});

test("ignores the lock of a dead process", async () => {
  const machine = new Machine().withGo();
  const dead = spawn(process.execPath, ["-e", ""]);
  await gone(dead.pid!);
  mkdirSync(join(machine.cache, "engine", ".lock"), { recursive: true });
  writeFileSync(join(machine.cache, "engine", ".lock", "pid"), String(dead.pid));

  expect(await ensureEngine(machine.options)).toMatchObject({ origin: "built" });
  expect(existsSync(join(machine.cache, "engine", ".lock"))).toBe(false);
});
