import { join } from "node:path";
import { createRealRunner } from "../../../../../emulator/rollout/real";
import type { RolloutJob, RunningAgent } from "../../../../../emulator/rollout/rollout";
import { allGone } from "../../processes";
import { ask, jobFor, Notes } from "../../rehearsal";
import { Repository } from "../../repository";
import { pythonFiles, pythonGraph } from "./agents";
import { describeWithPython } from "./available";

const never = new AbortController().signal;
const runner = createRealRunner();
const started: { agent: RunningAgent; job: RolloutJob }[] = [];

async function roll(files: Record<string, string>, commands: Partial<RolloutJob["sourceConfig"]> = {}) {
  const { folder } = new Repository(files);
  const job = jobFor(folder, { sourceConfig: { repo_url: folder, ...commands } });
  const notes = new Notes();
  const agent = (await runner.roll(job, notes, never))!;
  started.push({ agent, job });
  return { agent, notes, job };
}

afterEach(async () => {
  for (const { agent, job } of started.splice(0)) {
    await agent.stop();
    await allGone(job.dataFolder);
  }
});

/**
 * Returns the files of a project with a package, a folder of modules next to it, and a graph that is specified by its
 * module.
 */
const project = (word: string): Record<string, string> => ({
  ...pythonFiles("", {
    dependencies: [".", "./shared"],
    graphs: { agent: { path: "speaker.graph:graph", description: "Speaks" } },
  }),
  "pyproject.toml": `[project]
name = "speaker"
version = "1.0.0"
dependencies = ["titlecase>=2"]

[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
packages = ["speaker"]
`,
  "uv.lock": `version = 1
requires-python = ">=3.11"

[[package]]
name = "titlecase"
version = "2.4.1"
source = { registry = "https://packages.example/simple" }

[[package]]
name = "speaker"
version = "1.0.0"
source = { editable = "." }
`,
  "speaker/__init__.py": "",
  "speaker/words.py": `WORD = "${word}"\n`,
  "speaker/graph.py": pythonGraph(
    'answer = " ".join([titlecase(said), WORD, MORE, version("speaker"), version("titlecase"), version("iniconfig")])',
    "from importlib.metadata import version\nfrom titlecase import titlecase\nfrom speaker.words import WORD\nfrom more import MORE\n",
  ),
  "shared/more.py": 'MORE = "shared"\n',
  "shared/requirements.txt": "iniconfig==2.0.0\n",
});

describeWithPython("tests/emulator/rollout/runtimes/python/dependencies.test.ts")(
  "the environment of a Python revision",
  () => {
    test("contains dependencies of the project and a sibling folder, and locked versions", async () => {
      const first = await roll(project("one"));
      expect(await ask(first.agent, "say it")).toBe("Say It one shared 1.0.0 2.4.1 2.0.0");
      const second = await roll(project("two"));
      expect(second.notes.text).toContain("reusing that environment");
      expect(await ask(second.agent, "say it")).toBe("Say It two shared 1.0.0 2.4.1 2.0.0");
      expect(await ask(first.agent, "say it")).toBe("Say It one shared 1.0.0 2.4.1 2.0.0");
      const assistant = await fetch(`${second.agent.origin}/assistants/search`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-internal-api-token": second.agent.internalApi!.token,
        },
        body: JSON.stringify({ graph_id: "agent" }),
      });
      expect(await assistant.json()).toMatchObject([{ description: "Speaks" }]);
    });

    test("is used by the configured install and build commands", async () => {
      const graph = pythonGraph("answer = VALUE", "from made import VALUE");
      const { agent, notes, job } = await roll(pythonFiles(graph), {
        install_command: "python -c 'import langgraph_api, sys; print(sys.prefix)'",
        build_command: `python -c 'open("made.py", "w").write("VALUE = str(42)")'`,
      });
      expect(notes.text).toContain(`build INFO ${join(job.revisionFolder, "python")}`);
      expect(await ask(agent, "hi")).toBe("42");
    });
  },
);
