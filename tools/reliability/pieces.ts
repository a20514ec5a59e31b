import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** Part of the full test run that is completed as a unit. */
export interface Piece {
  /** Name on the command line and in the names of the figures. */
  name: string;
  /** Returns the test folders and files of the piece. */
  tests: () => readonly string[];
  /** Limits the tests to those with names that contain this text. */
  only?: string;
}

const folder = "tests/reliability";
const inFolder =
  (...names: string[]) =>
  () =>
    names.map((name) => `${folder}/${name}`);

/** Parts of the full test run, shortest first. */
export const pieces: readonly Piece[] = [
  { name: "secrets", tests: inFolder("secrets") },
  { name: "upgrades", tests: inFolder("upgrades") },
  { name: "support", tests: inFolder("support") },
  { name: "comparison", tests: inFolder("comparison") },
  { name: "engine", tests: inFolder("kill/engine-killed", "kill/interrupted") },
  { name: "plugin", tests: inFolder("kill/plugin-killed") },
  { name: "contents", tests: inFolder("contents", "kill/agent-server-killed", "kill/crons-killed") },
  { name: "promotion", tests: inFolder("promotion") },
  { name: "hostile", tests: inFolder("hostile") },
  { name: "fuzz", tests: inFolder("fuzz") },
  { name: "properties", tests: propertyTests },
  ...["interface", "langsmith"].flatMap((dialect): Piece[] => [
    { name: `model-${dialect}`, tests: inFolder("model"), only: dialect },
    { name: `provider-${dialect}`, tests: inFolder("kill/provider-killed"), only: dialect },
    { name: `replies-${dialect}`, tests: inFolder("kill/replies-cut"), only: dialect },
    { name: `plane-${dialect}`, tests: inFolder("kill/control-plane-killed"), only: `${dialect} dialect$` },
  ]),
  { name: "plane-absent", tests: inFolder("kill/control-plane-killed"), only: "without a restart" },
];

/** Returns the test files outside the reliability suites that contain properties. */
function propertyTests(): string[] {
  const files = readdirSync(join(repositoryRoot, "tests"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith("reliability"))
    .map((file) => `tests/${file}`)
    .filter((file) => /from "[./]+\/properties"/.test(readFileSync(join(repositoryRoot, file), "utf8")));
}
