import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FolderWatcher, type WatchFolder } from "../../../cli/dev/folder-watcher";
import { temporaryFolder } from "../../tools/temporary-folder";
import { until } from "../../tools/waiting";

/** Creates a watcher with fake watches, which report only the changes that the test triggers. */
function fakeWatches() {
  const open = new Map<string, (name: string | undefined) => void>();
  const watch: WatchFolder = (folder, onChange) => {
    if (folder.includes("missing")) throw Object.assign(new Error("no such folder"), { code: "ENOENT" });
    if (folder.includes("many")) throw Object.assign(new Error("too many watches"), { code: "ENOSPC" });
    open.set(folder, onChange);
    return () => open.delete(folder);
  };
  let changes = 0;
  return { open, watcher: new FolderWatcher(() => (changes += 1), watch), changes: () => changes };
}

test("watches exactly the specified folders, and reports whether any of them are new", () => {
  const { open, watcher } = fakeWatches();
  expect(watcher.watch(["/a", "/a/b"])).toBe(true);
  expect(watcher.watch(["/a", "/a/b"])).toBe(false);
  expect(watcher.watch(["/a", "/a/c", "/a/missing"])).toBe(true);
  expect([...open.keys()]).toEqual(["/a", "/a/c"]);
  expect(watcher.watch(["/a", "/a/missing"])).toBe(false);
  watcher.close();
  expect([...open.keys()]).toEqual([]);
});

test("ignores entries that are never deployed", () => {
  const { open, watcher, changes } = fakeWatches();
  watcher.watch(["/a"]);
  for (const name of ["node_modules", ".git", "__pycache__", ".venv"]) open.get("/a")!(name);
  expect(changes()).toBe(0);
  open.get("/a")!("graph.ts");
  open.get("/a")!(undefined);
  expect(changes()).toBe(2);
});

test.each([
  ["deleted", "a"],
  ["replaced (reported without a name)", undefined],
])("watches a folder and its subfolders again after it was %s", (_, name) => {
  const { open, watcher } = fakeWatches();
  const folders = ["/a", "/a/b", "/a-other"];
  watcher.watch(folders);
  const before = new Map(open);
  open.get("/a")!(name);
  expect(watcher.watch(folders)).toBe(true);
  expect(folders.filter((folder) => open.get(folder) !== before.get(folder))).toEqual(["/a", "/a/b"]);
  expect(watcher.watch(folders)).toBe(false);
});

test("detects changes in a replaced folder (real file system)", async () => {
  const folder = temporaryFolder({ "tools/search.ts": "1" });
  const tools = join(folder, "tools");
  let changes = 0;
  const watcher = new FolderWatcher(() => (changes += 1));
  watcher.watch([folder, tools]);
  try {
    rmSync(tools, { recursive: true });
    mkdirSync(tools);
    await until(() => watcher.watch([folder, tools]));
    await until(() => !watcher.watch([folder, tools]));
    const before = changes;
    writeFileSync(join(tools, "search.ts"), "2");
    await until(() => changes > before);
  } finally {
    watcher.close();
  }
});

test("throws an error if the system does not allow any more watches", () => {
  expect(() => fakeWatches().watcher.watch(["/many"])).toThrow("too many watches");
});

test("detects created, changed, renamed, and deleted files and folders (real file system)", async () => {
  const folder = temporaryFolder({ "graph.ts": "1" });
  let changes = 0;
  const watcher = new FolderWatcher(() => (changes += 1));
  watcher.watch([folder]);
  try {
    for (const change of [
      () => writeFileSync(join(folder, "graph.ts"), "2"),
      () => writeFileSync(join(folder, "other.ts"), "3"),
      () => mkdirSync(join(folder, "tools")),
      () => rmSync(join(folder, "other.ts")),
    ]) {
      const before = changes;
      change();
      await until(() => changes > before);
    }
  } finally {
    watcher.close();
  }
});
