import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import files from "node:fs/promises";
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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { requireFit, withArchive } from "../../../provider/local-source/archive";
import { readLocalSource } from "../../../provider/local-source/contents";
import { itemsIn } from "../../../provider/store-items/items";
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

describe("readLocalSource", () => {
  test("does not read a graph configuration file outside the folder and the project", async () => {
    const outside = join(temporaryFolder({ "x.json": '{"dependencies": [".canary"]}' }), "x.json");
    const folder = folderOf({});
    symlinkSync(outside, join(folder, "link.json"));
    for (const path of [outside, "link.json"])
      await expect(readLocalSource(folder, path)).rejects.toThrow(
        `${path} is outside the source's folder and the project. It must be`,
      );
  });

  const onlyWithPipes = process.platform === "win32" ? test.skip : test;
  onlyWithPipes("does not wait for a graph configuration file that is a pipe", async () => {
    const folder = folderOf({});
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    await expect(readLocalSource(folder, "pipe.json")).rejects.toThrow("pipe.json is not a file. It must be");
  });

  test("excludes history, dependencies, and virtual environments", async () => {
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

  test("ignores a byte order mark, and is case-sensitive", async () => {
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
  ])("sends files that a .dockerignore re-includes from excluded folders: %j", async (text) => {
    const folder = folderOf({
      ".dockerignore": text,
      "src/a.mjs": "",
      "src/deep/b.mjs": "",
      "other/c.mjs": "",
      "src/node_modules/d.js": "",
    });
    expect(await pathsOf(folder)).toEqual(["langgraph.json", "src/a.mjs", "src/deep/b.mjs"]);
  });

  test("excludes the files that are listed in ignore files, like git", async () => {
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

  test("does not send links", async () => {
    const folder = folderOf({ "graph.mjs": "" });
    symlinkSync("/etc/hosts", join(folder, "link"));
    symlinkSync("..", join(folder, "up"));
    mkdirSync(join(folder, "empty"));
    expect(await pathsOf(folder)).toEqual(["graph.mjs", "langgraph.json"]);
  });

  test("excludes .git, dependencies, and caches even if an ignore file re-includes everything", async () => {
    const folder = folderOf({
      ".gitignore": "*\n!*/\n!*.py\n!*.json\n!*.mjs\n",
      ".dockerignore": "*\n!**/*.py\n!**/*.json\n!**/*.mjs\n!.gitignore\n",
      "graph.py": "",
      "src/.git": "gitdir: ../.git/worktrees/src.py",
      ".git/hooks/pre-commit.py": "",
      "node_modules/x/package.json": "{}",
      "src/node_modules/x/index.mjs": "",
      "__pycache__/x.py": "",
      ".tox/py/lib/x.py": "",
      "own-environment/pyvenv.cfg": "",
      "own-environment/lib/x.py": "",
      "conda/conda-meta/history": "",
      "conda/lib/x.py": "",
    });
    expect(await pathsOf(folder)).toEqual(["graph.py", "langgraph.json"]);
  });

  test("does not let one kind of ignore file include what the other kind excludes", async () => {
    const folder = folderOf({
      ".gitignore": "*.pem\n!public.pem\nconfig/*\n!config/prod.json\nlocal/\n",
      ".dockerignore": "*.pem\nconfig/prod.json\n!local/a.mjs\n",
      "public.pem": "",
      "private.pem": "",
      "config/prod.json": "",
      "local/a.mjs": "",
    });
    expect(await pathsOf(folder)).toEqual([".dockerignore", ".gitignore", "langgraph.json"]);
  });

  test("applies a folder's own ignore files when it is reached through its parent", async () => {
    const parent = temporaryFolder({
      "agent/langgraph.json": '{"dependencies": [".", "..", "../shared"], "graphs": {}}',
      "agent/.dockerignore": "secret.txt\n",
      "agent/secret.txt": "",
      "agent/inner/secret.txt": "",
      "shared/.dockerignore": "*.key\n",
      "shared/a.key": "",
      "shared/a.mjs": "",
      "other/.dockerignore": "a.mjs",
      "other/a.mjs": "",
      ".dockerignore": "agent/left.txt\n",
      "agent/left.txt": "",
    });
    const { files: sent } = await readLocalSource(join(parent, "agent"), "langgraph.json", {
      workingFolder: parent,
    });
    expect(sent.map(({ path }) => path)).toEqual([
      ".dockerignore",
      "agent/.dockerignore",
      "agent/inner/secret.txt",
      "agent/langgraph.json",
      "other/.dockerignore",
      "other/a.mjs",
      "shared/.dockerignore",
      "shared/a.mjs",
    ]);
  });
});

describe("a folder that is never sent", () => {
  /** Creates a repository whose configuration contains a token, as in CI. */
  function repository(files: Record<string, string> = {}): string {
    const folder = temporaryFolder({ "Pulumi.yaml": "", "agent/langgraph.json": config, ...files });
    execFileSync("git", ["-C", folder, "init", "--quiet"]);
    execFileSync("git", ["-C", folder, "config", "http.extraheader", "AUTHORIZATION: basic canary"]);
    execFileSync("cp", ["-r", join(folder, ".git"), join(folder, "agent/.GIT")]);
    execFileSync("cp", ["-r", join(folder, ".git"), join(folder, "store")]);
    symlinkSync(".git", join(folder, "link"));
    symlinkSync(".git/info", join(folder, "inner-link"));
    return folder;
  }
  const read = (folder: string, own: string, graphConfigPath: string) =>
    readLocalSource(join(folder, own), graphConfigPath, { workingFolder: folder });

  test.each([
    ".git",
    ".git/info",
    ".git/../.git",
    "agent/../.git/refs/heads",
    "agent/.GIT",
    "store",
    "store/info",
    "link",
    "inner-link",
  ])("is rejected as the source: git's own data at %s", async (own) => {
    const folder = repository();
    const configuration = join(folder, "agent/langgraph.json");
    await expect(read(folder, own, configuration)).rejects.toThrow(
      "is Git's own data, which may contain credentials and is never sent. Specify another folder.",
    );
    await expect(itemsIn(join(folder, own))).rejects.toThrow("is Git's own data");
  });

  test.each(["node_modules", "agent/Node_Modules", ".venv", "__pycache__", "own-environment", "conda"])(
    "is rejected as the source: %s",
    async (own) => {
      const folder = repository({
        [`${own}/langgraph.json`]: config,
        "own-environment/pyvenv.cfg": "",
        "conda/conda-meta/history": "",
      });
      await expect(read(folder, own, "langgraph.json")).rejects.toThrow(
        "contains dependencies, a cache, or a virtual environment, which are never sent. Specify another folder.",
      );
      await expect(itemsIn(join(folder, own))).rejects.toThrow("contains dependencies");
    },
  );

  test("is not sent as part of another folder, regardless of its name and case", async () => {
    const folder = repository({ "agent/Node_Modules/x.js": "" });
    execFileSync("cp", ["-r", join(folder, "store"), join(folder, "agent/store")]);
    const { files: sent } = await read(folder, "agent", "langgraph.json");
    expect(sent.map(({ path }) => path)).toEqual(["langgraph.json"]);
  });

  test.each(["../.git", "../.git/info", "./.GIT", "../store", "../store/info"])(
    "is rejected as a dependency, even if the program lists it: %s",
    async (dependency) => {
      const folder = repository();
      writeFile(
        join(folder, "agent/langgraph.json"),
        JSON.stringify({ dependencies: [".", dependency], graphs: {} }),
      );
      await expect(
        readLocalSource(join(folder, "agent"), "langgraph.json", {
          workingFolder: folder,
          dependencyFolders: [join(folder, "agent", dependency)],
        }),
      ).rejects.toThrow("from which no files are sent");
    },
  );

  test("allows a source inside it: an agent in a package, or a worktree in a bare repository", async () => {
    const folder = temporaryFolder({ "node_modules/agents/agent/langgraph.json": config });
    expect(await pathsOf(join(folder, "node_modules/agents/agent"))).toEqual(["langgraph.json"]);
    const bare = temporaryFolder();
    const git = (...words: string[]) =>
      execFileSync("git", ["-C", bare, "-c", "user.name=a", "-c", "user.email=a@b.example", ...words]);
    git("init", "--quiet", "--bare");
    const tree = git("hash-object", "-w", "-t", "tree", "/dev/null").toString().trim();
    const commit = git("commit-tree", "-m", "x", tree).toString().trim();
    git("worktree", "add", "--quiet", "tree", commit);
    writeFile(join(bare, "tree/agent/langgraph.json"), config);
    git("worktree", "add", "--quiet", ".git/tree", commit);
    writeFile(join(bare, ".git/tree/agent/langgraph.json"), config);
    for (const tree of ["tree", ".git/tree"])
      expect(await pathsOf(join(bare, tree, "agent"))).toEqual(["langgraph.json"]);
    await expect(pathsOf(join(bare, ".git"), "tree/agent/langgraph.json")).rejects.toThrow(
      "is Git's own data",
    );
  });
});

describe("dependency folders", () => {
  /** Creates a program, an agent that depends on a sibling folder, and a folder that must not be sent. */
  const world = (dependencies: string[]) =>
    temporaryFolder({
      "work/project/Pulumi.yaml": "",
      "work/project/program/index.js": "",
      "work/project/agent/langgraph.json": JSON.stringify({ dependencies, graphs: {} }),
      "work/project/shared/tool.mjs": "",
      "work/lib/tool.mjs": "",
      "keys/id": "",
    });
  const read = (folder: string, dependencyFolders: string[] = []) =>
    readLocalSource(join(folder, "work/project/agent"), "langgraph.json", {
      workingFolder: join(folder, "work/project/program"),
      dependencyFolders: dependencyFolders.map((one) => join(folder, one)),
    });

  test("sends folders in the project", async () => {
    const source = await read(world([".", "../shared", "langchain"]));
    expect(source).toMatchObject({ configPath: "agent/langgraph.json", allowed: [] });
    expect(source.files.map(({ path }) => path)).toEqual(["agent/langgraph.json", "shared/tool.mjs"]);
  });

  test("sends folders in the project's git repository, regardless of the agent's location", async () => {
    const folder = world(["../../lib"]);
    execFileSync("git", ["-C", join(folder, "work"), "init", "--quiet"]);
    expect((await read(folder)).files.map(({ path }) => path)).toEqual([
      "lib/tool.mjs",
      "project/agent/langgraph.json",
    ]);
  });

  test.each([false, true])(
    "rejects and names folders elsewhere (project in a git repository: %s)",
    async (isTracked) => {
      const folder = world(["../shared", "../../../keys"]);
      if (isTracked) execFileSync("git", ["-C", join(folder, "work"), "init", "--quiet"]);
      const outside = isTracked ? join(folder, "work") : join(folder, "work/project");
      await expect(read(folder)).rejects.toThrow(
        `langgraph.json contains dependencies outside ${outside}: ${join(folder, "keys")}. To send them, list them in sourceRevisionConfig.dependencyFolders; otherwise remove them from langgraph.json.`,
      );
      await expect(read(folder, ["work", "key", "keys/id"])).rejects.toThrow("dependencies outside");
    },
  );

  test("sends folders outside the repository if an input lists them, and reports them", async () => {
    const folder = world(["../../../keys"]);
    const source = await read(folder, ["keys"]);
    expect(source.allowed).toEqual([join(folder, "keys")]);
    expect(source.files.map(({ path }) => path)).toEqual(["keys/id", "work/project/agent/langgraph.json"]);
  });

  test.each(["../linked", "../linked/inner", "../shared/../linked"])(
    "does not follow links to dependency folders: %s",
    async (one) => {
      const folder = world([one]);
      mkdirSync(join(folder, "keys/inner"));
      symlinkSync(join(folder, "keys"), join(folder, "work/project/linked"));
      await expect(read(folder)).rejects.toThrow(
        /whose real path is .*keys(\/inner)?\. Links are not uploaded/,
      );
    },
  );

  test.each([
    ["is ignored by git", "../shared"],
    ["is in node_modules", "../node_modules/lib"],
    ["is in .git", "../.git/hooks"],
    ["is a virtual environment", "../environment"],
    ["is empty", "../empty"],
  ])(
    "rejects a dependency folder if it contains no files to send because it %s",
    async (_why, dependency) => {
      const folder = world([dependency]);
      for (const path of ["node_modules/lib/a.js", ".git/hooks/a.sh", "environment/pyvenv.cfg"])
        writeFile(join(folder, "work/project", path), "");
      mkdirSync(join(folder, "work/project/empty"));
      writeFile(join(folder, "work/project/.gitignore"), "shared/\n");
      await expect(read(folder)).rejects.toThrow(
        `langgraph.json contains the dependency ${join(folder, "work/project/agent", dependency)}, from which no files are sent: `,
      );
    },
  );
});

describe("the content hash", () => {
  test("depends on names, contents, and executable bits, but not on times or locations", async () => {
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

describe("an archive", () => {
  const digest = (place: string) => createHash("sha256").update(readFileSync(place)).digest("hex");

  test("is the same for the same source, and contains no times or owners", async () => {
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

  test("contains hard links as separate files, and keeps colons in names", async () => {
    const folder = folderOf({ "one.mjs": "same", "c:x.mjs": "colon" });
    linkSync(join(folder, "one.mjs"), join(folder, "two.mjs"));
    await withArchive(await readLocalSource(folder, "langgraph.json"), Date.now(), async ({ place }) => {
      const read = (path: string) => execFileSync("tar", ["--force-local", "-xzOf", place, path]).toString();
      expect([read("one.mjs"), read("two.mjs"), read("c:x.mjs")]).toEqual(["same", "same", "colon"]);
    });
  });

  test("is readable by other programs, and removed afterward", async () => {
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

describe("a file that cannot be sent", () => {
  const strange = (folder: string, name: string) =>
    Buffer.concat([Buffer.from(`${folder}/${name}-`), Buffer.from([0xff, 0xfe])]);

  test("is reported with its path if its name is not valid UTF-8, unless it is ignored", async () => {
    const folder = folderOf({ "graph.mjs": "" });
    writeFileSync(strange(folder, "file"), "");
    await expect(pathsOf(folder)).rejects.toThrow(
      /^The name of .*\/file-\ufffd\ufffd is not valid UTF-8\. Rename it/,
    );
    writeFile(join(folder, ".gitignore"), "file-*\n");
    expect(await pathsOf(folder)).toEqual([".gitignore", "graph.mjs", "langgraph.json"]);
    mkdirSync(strange(folder, "folder"));
    await expect(pathsOf(folder)).rejects.toThrow(/folder-\ufffd\ufffd is not valid UTF-8/);
  });

  test.each(["lstat", "readFile", "readdir"] as const)(
    "is reported with its path if it disappears before %s",
    async (call) => {
      const folder = folderOf({ "graph.mjs": "", "src/a.mjs": "" });
      const original = files[call] as (path: string) => Promise<unknown>;
      jest.spyOn(files, call).mockImplementation(((path: string, ...others: []) => {
        if (path.includes("/src/")) rmSync(join(folder, "src"), { recursive: true, force: true });
        return original(path, ...others);
      }) as never);
      try {
        await expect(pathsOf(folder)).rejects.toThrow(
          /\/src\/(a\.mjs)? was deleted while it was being read\. Run the command again\./,
        );
      } finally {
        jest.restoreAllMocks();
      }
    },
  );

  test.each([["src/a.mjs"], ["src/"], ["src/.gitignore"]])(
    "is reported with its path if it is unreadable: %s",
    async (path) => {
      const folder = folderOf({ "src/a.mjs": "", "src/.gitignore": "" });
      for (const one of [folder, join(folder, "src")]) chmodSync(one, 0o755);
      chmodSync(join(folder, path), 0o000);
      const user = process.geteuid!();
      // Permissions do not apply to root.
      if (user === 0) process.seteuid!(65_534);
      try {
        await expect(pathsOf(folder)).rejects.toThrow(
          `${join(folder, path)} cannot be read (EACCES). Make it readable, or list it in .gitignore or .dockerignore.`,
        );
      } finally {
        if (user === 0) process.seteuid!(user);
      }
    },
  );
});

test("reports a file that disappears during packing with its path", async () => {
  const folder = folderOf({ "graph.mjs": "" });
  const source = await readLocalSource(folder, "langgraph.json");
  rmSync(join(folder, "graph.mjs"));
  await expect(withArchive(source, Date.now(), () => Promise.resolve())).rejects.toThrow(
    `${join(folder, "graph.mjs")} was deleted while it was being read. Run the command again.`,
  );
});

describe("the archive limit", () => {
  const sourceOf = (bytes: Buffer) => {
    const folder = folderOf({ "graph.mjs": "" });
    writeFileSync(join(folder, "data"), bytes);
    return readLocalSource(folder, "langgraph.json");
  };

  test("applies to the compressed size", async () => {
    await expect(requireFit(await sourceOf(randomBytes(200_000)), 100_000)).rejects.toThrow(
      "The archive of the source is larger than 97.7 KiB, the maximum that control planes accept.",
    );
    await expect(requireFit(await sourceOf(Buffer.alloc(200_000)), 100_000)).resolves.toBeUndefined();
    await expect(requireFit(await sourceOf(randomBytes(90_000)), 100_000)).resolves.toBeUndefined();
  });
});

describe("readLocalSource with invalid input", () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ["a missing configuration", {}, "other.json", /^other\.json cannot be read: ENOENT/],
    [
      "a configuration that is not an object",
      { "langgraph.json": "[]" },
      "langgraph.json",
      /must contain a JSON object/,
    ],
    [
      "a configuration that is not JSON",
      { "langgraph.json": "{" },
      "langgraph.json",
      /is not a graph configuration/,
    ],
    [
      "a configuration that names a missing folder",
      { "langgraph.json": '{"dependencies": ["../missing"]}' },
      "langgraph.json",
      /contains the dependency "\.\.\/missing", but that folder does not exist/,
    ],
    [
      "an ignored configuration",
      { ".gitignore": "*.json" },
      "langgraph.json",
      /is not among the files that are sent/,
    ],
  ])("rejects %s", async (_what, files, graphConfigPath, text) => {
    await expect(readLocalSource(folderOf(files), graphConfigPath)).rejects.toThrow(text);
  });

  test("rejects a missing folder, and a file as the folder", async () => {
    const folder = folderOf({});
    await expect(readLocalSource(join(folder, "nothing"), "a")).rejects.toThrow(
      /^There is no folder .*nothing\.$/,
    );
    await expect(readLocalSource(join(folder, "langgraph.json"), "a")).rejects.toThrow(/is not a folder\.$/);
  });
});

test("removes the archives of killed processes, but not those in use", async () => {
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
