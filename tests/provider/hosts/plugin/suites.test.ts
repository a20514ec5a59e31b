import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { overDynamicHostOnly, suites } from "./suites";

const folder = join(__dirname, "..", "..");

/** Folders whose tests call a provider behind a host. */
const folders = ["core", "deployment/reconcile", "assistant", "cron", "listener", "run"].concat([
  "store-item",
  "store-items",
  "thread",
]);

/** Returns the tests in a folder that call a provider, and do not call the core directly. */
function testsIn(name: string): string[] {
  return readdirSync(join(folder, name))
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => {
      const text = readFileSync(join(folder, name, file), "utf8");
      return (
        /\bWorld\b|deploymentHost\(/.test(text.replaceAll("AgentWorld", "World")) &&
        !text.includes("new Core(")
      );
    })
    .map((file) => `${name}/${file.replace(".test.ts", "")}`);
}

test("runs each test of a provider with both hosts, or states why not", () => {
  const listed = [...Object.values(suites).flat(), ...Object.keys(overDynamicHostOnly)];
  const missing = folders.flatMap(testsIn).filter((file) => !listed.includes(file));
  expect(missing).toEqual([]);
  expect(listed.filter((file, index) => listed.indexOf(file) !== index)).toEqual([]);
});
