import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRealRunner } from "../../../../../emulator/rollout/real";
import type { RolloutJob, RunningAgent } from "../../../../../emulator/rollout/rollout";
import { allGone, eventually, firstProcessIn, processesIn } from "../../processes";
import { ask, jobFor, Notes } from "../../rehearsal";
import { Repository } from "../../repository";
import { pythonFiles, pythonGraph } from "./agents";
import { describeWithPython } from "./available";

const never = new AbortController().signal;
const runner = createRealRunner();

const graph = pythonGraph(`print("called with " + os.environ["NAME"])
if said == "prefix":
    answer = sys.prefix
elif said.startswith("remember "):
    await get_store().aput(("memories",), "it", {"value": said.removeprefix("remember ")})
elif said == "recall":
    item = await get_store().aget(("memories",), "it")
    answer = item.value["value"] if item else "nothing"
elif said == "leave something":
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
else:
    answer = f'{os.environ["GREETING"]}, {os.environ["NAME"]}: {said}'`);

const files = { ...pythonFiles(graph, { env: ".env" }), ".env": 'GREETING="Hello"\nNAME=unnamed\n' };

describeWithPython("tests/emulator/rollout/runtimes/python/success.test.ts")(
  "a revision of a Python graph",
  () => {
    const repository = new Repository(files);
    const job = jobFor(repository.folder, { secrets: [{ name: "NAME", value: "Mr. Tops/ecret" }] });
    const later: RolloutJob = { ...job, revisionId: "later", revisionFolder: join(job.dataFolder, "later") };
    const notes = new Notes();
    let agent: RunningAgent | undefined;

    const roll = async (which: RolloutJob, kept = new Notes()): Promise<Notes> => {
      agent = await runner.roll(which, kept, never);
      await agent!.takeOver!();
      return kept;
    };

    beforeAll(async () => {
      await roll(job, notes);
    });
    afterAll(async () => {
      await agent?.stop();
      await allGone(job.dataFolder);
    });

    test("passes through its statuses, and reports its runtime", () => {
      expect(notes.statuses).toEqual(["BUILDING", "AWAITING_DEPLOY", "DEPLOYING"]);
      expect(notes.ranOn).toMatch(/^Python 3\.\d+\.\d+/);
    });

    test("reads the env file, but gives secrets precedence", async () => {
      expect(await ask(agent, "hi")).toBe("Hello, Mr. Tops/ecret: hi");
    });

    test("logs no errors while it is healthy", () => {
      expect(notes.text).not.toContain(" ERROR ");
    });

    test("logs what the project prints, without the secrets", () => {
      expect(notes.text).toContain("deploy INFO called with [secret]");
      expect(notes.text).not.toContain("Tops");
    });

    test("runs in a separate environment, and does not change the checkout", async () => {
      expect(await ask(agent, "prefix")).toBe(join(job.revisionFolder, "python"));
      const source = join(job.revisionFolder, "source");
      // Python stores compiled files next to their sources.
      expect(repository.git("-C", source, "status", "--porcelain")).toBe("?? __pycache__/");
    });

    test("rejects all callers except for the control plane", async () => {
      const answer = await fetch(`${agent!.origin}/ok`);
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { detail: expect.stringContaining("only from the control plane") },
      ]);
      expect((await fetch(`${agent!.internalApi!.origin}/facts`)).status).toBe(401);
    });

    test("starts again from the existing build, and keeps its data", async () => {
      await ask(agent, "remember the milk");
      await agent!.stop();
      await expect(agent!.exited).resolves.toBe("The agent server was stopped.");
      expect(processesIn(job.dataFolder)).toEqual([]);
      const again = new Notes();
      agent = await runner.restart(job, again, never);
      expect(await ask(agent, "recall")).toBe("nothing");
      await agent!.takeOver!();
      expect(await ask(agent, "recall")).toBe("the milk");
      expect(again.text).not.toContain("build ");
    });

    test("passes its data to the next revision", async () => {
      repository.commit({ "agent.py": graph.replace("{said}'", "{said}!'") });
      const before = agent!;
      agent = await runner.roll(later, new Notes(), never);
      await ask(before, "remember the honey");
      await before.stop();
      await agent!.takeOver!();
      expect(await ask(agent, "recall")).toBe("the honey");
      expect(await ask(agent, "hi")).toBe("Hello, Mr. Tops/ecret: hi!");
    });

    test("uses the installed packages of an earlier revision with the same dependencies", async () => {
      await agent!.stop();
      const text = (await roll(later)).text;
      expect(text).toContain("reusing that environment");
      expect(text).not.toContain("Running pip");
      expect(await ask(agent, "prefix")).toBe(join(later.revisionFolder, "python"));
    });

    test("keeps the data on disk if it is killed, and leaves no processes", async () => {
      await ask(agent, "leave something");
      await ask(agent, "remember the bread");
      const store = join(job.dataFolder, "runtime", ".langgraph_api", "store.pckl");
      await eventually(() => readFileSync(store).includes("the bread"), "the store is on disk");
      process.kill(firstProcessIn(job.dataFolder), "SIGKILL");
      await expect(agent!.exited).resolves.toBe("The agent server was terminated by SIGKILL.");
      await allGone(job.dataFolder);
      agent = await runner.restart(later, new Notes(), never);
      await agent!.takeOver!();
      expect(await ask(agent, "recall")).toBe("the bread");
    });
  },
);
