import { readJson } from "../../json";
import { type CommandProcess, exitCodeOf } from "../../../cli/command-process";
import { formatReport } from "../../../cli/review/formats";
import { type ReviewCommandOptions, showReview } from "../../../cli/review/show-review";
import { systemClock } from "../../../provider/clock";
import { temporaryFolder } from "../../tools/temporary-folder";
import { recorded, recordedReport } from "./previews";

const closed = recordedReport("mixed", "events", { gates: { failOn: ["delete"] } });
const files = {
  "review.json": formatReport("json", closed, "1.0.0"),
  "preview.json": recorded("mixed", "digest"),
};

async function review(options: Partial<ReviewCommandOptions>, file = "review.json") {
  const said = { stdout: "", stderr: "" };
  const into = (stream: "stdout" | "stderr") => ({
    isTTY: false,
    write: async (text: string) => void (said[stream] += text),
  });
  const surroundings: CommandProcess = {
    cwd: temporaryFolder(files),
    env: {},
    clock: systemClock,
    random: () => 0.5,
    stdout: into("stdout"),
    stderr: into("stderr"),
    signal: new AbortController().signal,
  };
  const none = {
    policyPack: [],
    policyPackConfig: [],
    refresh: false,
    offline: true,
    failOn: [],
    approveReplace: [],
  };
  const all: ReviewCommandOptions = { ...none, format: "terminal", ...options };
  const code = await exitCodeOf((command) => showReview(command, file, all, "1.0.0"), surroundings);
  return { code, ...said };
}

test("converts a report to another format, with the same exit code", async () => {
  const { code, stdout } = await review({});
  expect(code).toBe(2);
  expect(stdout).toContain("This review fails:\n  legacy is deleted");
});

test.each<Partial<ReviewCommandOptions>>([
  { failOn: ["replace"] },
  { maxRollouts: 0 },
  { approveReplace: ["billing"] },
])("rejects gates for an existing report: %j", async (options) => {
  expect(await review(options)).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("review.json is a report, and its result cannot be changed."),
  });
});

test.each([
  ["infra/agents", "infra/agents"],
  [".", undefined],
  ["../elsewhere", undefined],
])("reports the project folder for the working directory %s as %p", async (cwd, folder) => {
  const { stdout } = await review({ cwd, format: "json" }, "preview.json");
  expect(readJson<{ folder: string }>(stdout).folder).toBe(folder);
});
