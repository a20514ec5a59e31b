import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastFigures } from "../../../tools/reliability/figures";
import { pieces } from "../../../tools/reliability/pieces";
import { ProgressFile } from "../../../tools/reliability/progress-file";
import { repositoryRoot } from "../../../tools/repository";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentserver-pieces-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("assigns every reliability suite to a part of the full test run, and leaves no part empty", () => {
  const files = readdirSync(join(repositoryRoot, "tests", "reliability"), {
    recursive: true,
    encoding: "utf8",
  });
  const suites = files.filter((file) => file.endsWith(".test.ts")).map((file) => `tests/reliability/${file}`);
  const covered = pieces.flatMap(({ tests }) => tests());
  expect(suites.filter((suite) => !covered.some((place) => suite.startsWith(place)))).toEqual([]);
  for (const { name, tests, only } of pieces) {
    const own = suites.filter((suite) => tests().some((place) => suite.startsWith(place)));
    if (name === "properties") expect(tests().length).toBeGreaterThan(20);
    else expect(own.length).toBeGreaterThan(0);
    const sources = own.map((suite) => readFileSync(join(repositoryRoot, suite), "utf8")).join("\n");
    if (only) expect(sources).toContain(only.replace("$", ""));
  }
});

test("resumes an interrupted full test run unless the sources have changed", () => {
  const file = join(folder, "progress.json");
  ProgressFile.read(file, "one").complete("secrets");
  expect(ProgressFile.read(file, "one").isDone("secrets")).toBe(true);
  expect(ProgressFile.read(file, "one").isDone("model-interface")).toBe(false);
  expect(ProgressFile.read(file, "two").isDone("secrets")).toBe(false);
  expect(ProgressFile.read(file, "two", { keep: true }).isDone("secrets")).toBe(true);
  ProgressFile.read(file, "one").clear();
  expect(existsSync(file)).toBe(false);
});

test("merges the figures of a suite's parts", () => {
  const write = (name: string, figures: object) => writeFileSync(join(folder, name), JSON.stringify(figures));
  write("kills.interface.json", {
    seed: "7",
    scenarios: 3,
    "maximum at once": 1,
    "faults injected at": "every write",
  });
  write("kills.langsmith.json", {
    seed: "8",
    scenarios: 3,
    "maximum at once": 2,
    "faults injected at": "every write",
  });
  write("other.json", { scenarios: 1 });
  expect(lastFigures(folder)).toEqual({
    kills: { seed: "7, 8", scenarios: 6, "maximum at once": 2, "faults injected at": "every write" },
    other: { scenarios: 1 },
  });
});
