import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { withArchive } from "../../../provider/local-source/archive";
import { readLocalSource } from "../../../provider/local-source/contents";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";

const config = '{"graphs": {"agent": "./graph.mjs:graph"}}';

function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries({ "langgraph.json": config, ...files }))
    writeFile(join(folder, path), text);
  return folder;
}

const pathsOf = async (folder: string, graphConfigPath = "langgraph.json") =>
  (await readLocalSource(folder, graphConfigPath)).files.map(({ path }) => path);

describe("what is sent", () => {
  test("is everything but history, dependencies and virtual environments", async () => {
    const folder = folderOf({
      "graph.mjs": "",
      "src/deep/er.mjs": "",
      ".git/HEAD": "",
      "src/.git/HEAD": "",
      "node_modules/x/index.js": "",
      "src/node_modules/x/index.js": "",
      "__pycache__/a.pyc": "",
      ".venv/bin/python": "",
      "env-of-mine/pyvenv.cfg": "",
      "env-of-mine/lib/x.py": "",
      ".env.example": "",
    });
    expect(await pathsOf(folder)).toEqual([".env.example", "graph.mjs", "langgraph.json", "src/deep/er.mjs"]);
  });

  test("distinguishes upper and lower case, and reads past a byte order mark", async () => {
    const folder = folderOf({
      ".gitignore": "\ufeffsmall.txt\nUPPER.txt\nBuild/\n",
      "small.txt": "",
      "UPPER.TXT": "",
      "build/x": "",
    });
    expect(await pathsOf(folder)).toEqual([".gitignore", "UPPER.TXT", "build/x", "langgraph.json"]);
  });

  test.each([
    ["*\n!langgraph.json\n!src/**\n"],
    ["*\n!langgraph.json\n!src\n"],
    ["*\n!langgraph.json\n!src/a.mjs\n!src/deep\n"],
  ])("is what a .dockerignore takes back, also in folders that it leaves out: %j", async (text) => {
    const folder = folderOf({
      ".dockerignore": text,
      "src/a.mjs": "",
      "src/deep/b.mjs": "",
      "other/c.mjs": "",
      "src/node_modules/d.js": "",
    });
    expect(await pathsOf(folder)).toEqual(["langgraph.json", "src/a.mjs", "src/deep/b.mjs"]);
  });

  test("leaves out what the ignore files name, as git does", async () => {
    const folder = folderOf({
      ".gitignore": "*.log\n/build\n!keep.log\ndata/\n",
      ".dockerignore": "secret.txt\n",
      "a.log": "",
      "keep.log": "",
      "build/x": "",
      "src/build/x": "",
      "data/x": "",
      "secret.txt": "",
      "src/.gitignore": "local.*\n!a.log\n",
      "src/local.json": "",
      "src/a.log": "",
    });
    expect(await pathsOf(folder)).toEqual([
      ".dockerignore",
      ".gitignore",
      "keep.log",
      "langgraph.json",
      "src/.gitignore",
      "src/a.log",
      "src/build/x",
    ]);
  });

  test("are no links, wherever they lead", async () => {
    const folder = folderOf({ "graph.mjs": "" });
    symlinkSync("/etc/hosts", join(folder, "link"));
    symlinkSync("..", join(folder, "up"));
    mkdirSync(join(folder, "empty"));
    expect(await pathsOf(folder)).toEqual(["graph.mjs", "langgraph.json"]);
  });

  test("are folders outside, too, that the graph configuration names", async () => {
    const root = folderOf({
      "agent/langgraph.json": '{"dependencies": [".", "../shared", "./inner", "langchain"]}',
      "agent/graph.mjs": "",
      "agent/inner/x": "",
      "shared/tool.mjs": "",
      "shared/.gitignore": "left.txt",
      "shared/left.txt": "",
      "other/x": "",
    });
    const source = await readLocalSource(join(root, "agent"), "langgraph.json");
    expect(source.configPath).toBe("agent/langgraph.json");
    expect(source.files.map(({ path }) => path)).toEqual([
      "agent/graph.mjs",
      "agent/inner/x",
      "agent/langgraph.json",
      "shared/.gitignore",
      "shared/tool.mjs",
    ]);
  });
});

describe("the content hash", () => {
  test("is that of names, contents and execution bits, not of times and places", async () => {
    const files = { "graph.mjs": "a", "src/x.sh": "b" };
    const hash = async (folder: string) => (await readLocalSource(folder, "langgraph.json")).contentHash;
    const one = folderOf(files);
    const other = folderOf(files);
    utimesSync(join(other, "graph.mjs"), 0, 0);
    expect(await hash(other)).toBe(await hash(one));
    const hashes = [await hash(one)];
    const changes: Record<string, string>[] = [{ "graph.mjs": "b" }, { "src/y.sh": "b" }, { "src/x.sh": "" }];
    for (const change of changes) hashes.push(await hash(folderOf({ ...files, ...change })));
    chmodSync(join(one, "src/x.sh"), 0o755);
    hashes.push(await hash(one));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("the archive", () => {
  const digest = (place: string) => createHash("sha256").update(readFileSync(place)).digest("hex");

  test("is the same for the same source, and holds no times and owners", async () => {
    const files = { "graph.mjs": "a", "@odd/-n a\u00e9.mjs": "b", "run.sh": "c" };
    const [one, other] = [folderOf(files), folderOf(files)];
    chmodSync(join(other, "graph.mjs"), 0o600);
    for (const folder of [one, other]) chmodSync(join(folder, "run.sh"), 0o777);
    const digests: string[] = [];
    for (const folder of [one, other])
      await withArchive(
        await readLocalSource(folder, "langgraph.json"),
        Date.now(),
        async ({ place, bytes }) => {
          digests.push(digest(place));
          expect(bytes).toBe(readFileSync(place).length);
          const entries: object[] = [];
          await list({
            file: place,
            onReadEntry: ({ path, mode, mtime, uid }) => entries.push({ path, mode, mtime, uid }),
          });
          expect(entries).toEqual([
            { path: "@odd/-n a\u00e9.mjs", mode: 0o644, mtime: undefined, uid: undefined },
            { path: "graph.mjs", mode: 0o644, mtime: undefined, uid: undefined },
            { path: "langgraph.json", mode: 0o644, mtime: undefined, uid: undefined },
            { path: "run.sh", mode: 0o755, mtime: undefined, uid: undefined },
          ]);
        },
      );
    expect(digests[0]).toBe(digests[1]);
  });

  test("has two names of one file as two files, and names with colons as they are", async () => {
    const folder = folderOf({ "one.mjs": "same", "c:x.mjs": "colon" });
    linkSync(join(folder, "one.mjs"), join(folder, "two.mjs"));
    await withArchive(await readLocalSource(folder, "langgraph.json"), Date.now(), async ({ place }) => {
      const read = (path: string) => execFileSync("tar", ["--force-local", "-xzOf", place, path]).toString();
      expect([read("one.mjs"), read("two.mjs"), read("c:x.mjs")]).toEqual(["same", "same", "colon"]);
    });
  });

  test("is one that other programs read, and is gone afterwards", async () => {
    const folder = folderOf({ "src/a.mjs": "content of a" });
    const place = await withArchive(
      await readLocalSource(folder, "langgraph.json"),
      Date.now(),
      async (archive) => {
        expect(execFileSync("tar", ["-xzOf", archive.place, "src/a.mjs"]).toString()).toBe("content of a");
        return archive.place;
      },
    );
    expect(() => readFileSync(place)).toThrow("ENOENT");
  });
});

describe("refused is", () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ["a configuration that is not there", {}, "other.json", /^other\.json cannot be read: ENOENT/],
    ["one that is none", { "langgraph.json": "[]" }, "langgraph.json", /must hold a JSON object/],
    ["one that is no JSON", { "langgraph.json": "{" }, "langgraph.json", /is not a graph configuration/],
    [
      "one that names a folder that is not there",
      { "langgraph.json": '{"dependencies": ["../missing"]}' },
      "langgraph.json",
      /names the dependency "\.\.\/missing", and there is no such folder/,
    ],
    [
      "one that is left out",
      { ".gitignore": "*.json" },
      "langgraph.json",
      /is not among the files that are sent/,
    ],
  ])("%s", async (_what, files, graphConfigPath, text) => {
    await expect(readLocalSource(folderOf(files), graphConfigPath)).rejects.toThrow(text);
  });

  test("a folder that is none", async () => {
    const folder = folderOf({});
    await expect(readLocalSource(join(folder, "nothing"), "a")).rejects.toThrow(
      /^There is no folder .*nothing\.$/,
    );
    await expect(readLocalSource(join(folder, "langgraph.json"), "a")).rejects.toThrow(/is not a folder\.$/);
  });
});

test("what a killed process has left is removed, and what is at work is not", async () => {
  const old = new Date(Date.now() - 2 * 3_600_000);
  const left = (pid: number) => {
    const folder = mkdtempSync(join(tmpdir(), `agentserver-source-${pid}-`));
    utimesSync(folder, old, old);
    return folder;
  };
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const [ofGone, ofOwn] = [left(gone), left(process.pid)];
  const source = await readLocalSource(folderOf({}), "langgraph.json");
  await withArchive(source, Date.now(), () => Promise.resolve());
  expect([existsSync(ofGone), existsSync(ofOwn)]).toEqual([false, true]);
  rmSync(ofOwn, { recursive: true });
});
