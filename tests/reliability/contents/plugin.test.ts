import { usePlugin } from "../../provider/hosts/plugin/plugin-provider";
import { playWithFault } from "./faulted";
import { transitions } from "./scenario";
import type { Kind } from "./world";

usePlugin();

/** Names of the transitions that together send all write requests of a kind. */
const selected: [Kind, string[]][] = [
  ["assistant", ["update", "replacement"]],
  ["cron", ["update", "replacement"]],
  ["thread", ["update", "replacement"]],
  ["storeItem", ["replacement"]],
  ["storeItems", ["replacement"]],
];

describe.each(selected)("a plugin that is killed at any request (%s)", (kind, names) => {
  test.each(transitions(kind).filter(([name]) => names.includes(name)))(
    "repairs the result of an interrupted command: %s",
    async (_, from, to) => {
      const isOver = async (at: number) =>
        !(await playWithFault(kind, from, to, { at, how: "killed after" }));
      for (let at = 1; !(await isOver(at)); at += 1) expect(at).toBeLessThan(60);
    },
  );
});
