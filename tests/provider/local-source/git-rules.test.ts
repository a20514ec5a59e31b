import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realFolder } from "../../../provider/local-source/files";
import { sourceFiles } from "../../../provider/local-source/source-files";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";

const git = (folder: string, words: string[]): string =>
  execFileSync("git", ["-C", folder, ...words], { stdio: "pipe" }).toString();

/** Creates a git repository with these files, all of them untracked. */
function repositoryOf(files: Record<string, string>): string {
  const folder = temporaryFolder(files);
  git(folder, ["init", "--quiet"]);
  return folder;
}

const sentFrom = async (folder: string): Promise<string[]> =>
  (await sourceFiles([await realFolder(folder)])).files.map(({ path }) => path).sort();

describe("the selection of files by git's rules", () => {
  test("rejects a folder that resembles a bare repository, even one that tracks its files", async () => {
    const tracking = repositoryOf({ ".env": "" });
    git(tracking, ["add", ".env"]);
    const repository = repositoryOf({ ".gitignore": ".env\n", "agent/.env": "", "agent/a.mjs": "" });
    const agent = join(repository, "agent");
    for (const name of ["HEAD", "index", "objects", "refs"])
      cpSync(join(tracking, ".git", name), join(agent, name), { recursive: true });
    writeFile(join(agent, "config"), "[core]\n\tbare = false\n\tworktree = .\n");
    await expect(sentFrom(agent)).rejects.toThrow("is Git's own data");
    expect(await sentFrom(repository)).toEqual([".gitignore"]);
  });

  test("omits files that a .gitignore above the folder lists", async () => {
    const repository = repositoryOf({
      ".gitignore": "*.pem\n/agent/data/\n",
      "agent/a.pem": "",
      "agent/data/x": "",
      "agent/src/data/x": "",
    });
    expect(await sentFrom(join(repository, "agent"))).toEqual(["src/data/x"]);
  });

  test("omits files that are listed in .git/info/exclude or the user's ignore file", async () => {
    const repository = repositoryOf({
      "a.mjs": "",
      "excluded.txt": "",
      "mine.txt": "",
      "ignore.txt": "mine.txt\n",
    });
    writeFile(join(repository, ".git/info/exclude"), "excluded.txt\n");
    git(repository, ["config", "core.excludesFile", join(repository, "ignore.txt")]);
    expect(await sentFrom(repository)).toEqual(["a.mjs", "ignore.txt"]);
  });

  test("omits files that are listed in the user's default ignore file", async () => {
    const repository = repositoryOf({ "a.mjs": "", "mine.txt": "" });
    const before = process.env["XDG_CONFIG_HOME"];
    process.env["XDG_CONFIG_HOME"] = temporaryFolder({ "git/ignore": "mine.txt\n" });
    try {
      expect(await sentFrom(repository)).toEqual(["a.mjs"]);
    } finally {
      if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
      else process.env["XDG_CONFIG_HOME"] = before;
    }
  });

  test("matches files byte by byte, and folders with wildcards in their names literally", async () => {
    const repository = repositoryOf({
      ".gitignore": "?\n",
      é: "",
      x: "",
      "[ab]*/.gitignore": "/c.log\n",
      "[ab]*/c.log": "",
      "ab/c.log": "",
    });
    expect(await sentFrom(repository)).toEqual([".gitignore", "[ab]*/.gitignore", "ab/c.log", "é"]);
  });

  test("does not omit a submodule that a pattern matches", async () => {
    const repository = repositoryOf({ ".gitignore": "sub/\n", "sub/a.mjs": "" });
    const inner = join(repository, "sub");
    git(inner, ["init", "--quiet"]);
    git(inner, ["add", "."]);
    git(inner, ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "a"]);
    git(repository, ["-c", "advice.addEmbeddedRepo=false", "add", "--force", "sub"]);
    expect(await sentFrom(repository)).toEqual([".gitignore", "sub/a.mjs"]);
  });

  test("sends tracked files, because git does not ignore them", async () => {
    const repository = repositoryOf({
      ".gitignore": "dist/\n*.log\n",
      "dist/a.mjs": "",
      "dist/b.mjs": "",
      "c.log": "",
    });
    git(repository, ["add", "--force", "dist/a.mjs", "c.log"]);
    expect(await sentFrom(repository)).toEqual([".gitignore", "c.log", "dist/a.mjs"]);
  });

  test("follows the rules of the nested repository or submodule that contains the files", async () => {
    const repository = repositoryOf({
      ".gitignore": "*.log\n/vendored/\n",
      "inner/a.log": "",
      "inner/b.txt": "",
    });
    writeFile(join(repository, "inner/.gitignore"), "b.txt\n");
    git(join(repository, "inner"), ["init", "--quiet"]);
    writeFile(join(repository, "vendored/x"), "");
    git(join(repository, "vendored"), ["init", "--quiet"]);
    expect(await sentFrom(repository)).toEqual([".gitignore", "inner/.gitignore", "inner/a.log"]);
  });

  test.each([
    ["a folder named .git that is not a repository", { "src/.git/HEAD": "" }],
    ["a .git file whose repository is missing", { "src/.git": "gitdir: ../.git/modules/src\n" }],
  ])("omits files next to %s", async (_what, files) => {
    const repository = repositoryOf({ ".gitignore": "*.log\n", "src/a.log": "", "src/b": "", ...files });
    expect(await sentFrom(repository)).toEqual([".gitignore", "src/b"]);
  });

  test("follows the rules of the worktree that contains the files", async () => {
    const repository = repositoryOf({ ".gitignore": "*.log\n", "a.txt": "" });
    git(repository, ["add", "."]);
    git(repository, ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "a"]);
    git(repository, ["worktree", "add", "--quiet", "other"]);
    writeFile(join(repository, "other/.gitignore"), "*.tmp\n");
    for (const name of ["b.log", "c.tmp"]) writeFile(join(repository, "other", name), "");
    expect(await sentFrom(join(repository, "other"))).toEqual([".gitignore", "a.txt", "b.log"]);
    expect(await sentFrom(repository)).toContain("other/b.log");
  });

  test("omits only the files that are ignored within the declared folder", async () => {
    const repository = repositoryOf({
      ".gitignore": "/build/\n*.map\n",
      "build/agent/a.mjs": "",
      "build/agent/a.map": "",
    });
    expect(await sentFrom(join(repository, "build/agent"))).toEqual(["a.mjs"]);
  });

  test("sends the declared folder even if .git/info/exclude ignores it", async () => {
    const repository = repositoryOf({ "build/a.mjs": "", "build/b.map": "" });
    writeFile(join(repository, ".git/info/exclude"), "build/\n*.map\n");
    expect(await sentFrom(join(repository, "build"))).toEqual(["a.mjs"]);
  });

  test("follows git's setting for case sensitivity", async () => {
    const repository = repositoryOf({
      ".gitignore": "secret.txt\n",
      "Secret.TXT": "",
      "src/.gitignore": "*.KEY",
      "src/a.key": "",
    });
    git(repository, ["config", "core.ignoreCase", "true"]);
    expect(await sentFrom(repository)).toEqual([".gitignore", "src/.gitignore"]);
    git(repository, ["config", "core.ignoreCase", "false"]);
    expect(await sentFrom(repository)).toEqual([".gitignore", "Secret.TXT", "src/.gitignore", "src/a.key"]);
  });

  test("reads .gitignore files if there is no repository", async () => {
    const folder = temporaryFolder({
      ".gitignore": "a/*\n!a/b/\n",
      "a/x": "",
      "a/b/x": "",
      "a/b/.gitignore": "y",
      "a/b/y": "",
    });
    expect(await sentFrom(folder)).toEqual([".gitignore", "a/b/.gitignore", "a/b/x"]);
  });

  test.each([".gitignore", "agent/.gitignore", "agent/.dockerignore"])(
    "rejects %s if it is a link, without reading its target",
    async (file) => {
      const repository = repositoryOf({ "agent/a.txt": "", "rules.txt": "[canary\n" });
      symlinkSync(join(repository, "rules.txt"), join(repository, file));
      await expect(sentFrom(join(repository, "agent"))).rejects.toThrow(
        `${join(repository, file)} is a link or a special file, so it is not read. Replace it with a file that contains the patterns.`,
      );
    },
  );

  const onlyWithPipes = process.platform === "win32" ? test.skip : test;
  onlyWithPipes("are not decided by a .dockerignore that is a pipe", async () => {
    const folder = temporaryFolder({ "a.txt": "" });
    execFileSync("mkfifo", [join(folder, ".dockerignore")]);
    await expect(sentFrom(folder)).rejects.toThrow(".dockerignore is a link or a special file");
  });
});

describe("the executable bit", () => {
  const executableIn = async (folder: string) =>
    (await sourceFiles([await realFolder(folder)])).files
      .filter(({ isExecutable }) => isExecutable)
      .map(({ path }) => path);

  test("follows git for tracked files, and the file system for others", async () => {
    const repository = repositoryOf({ "run.sh": "#!", "own.sh": "#!", "text.md": "" });
    git(repository, ["add", "run.sh", "text.md"]);
    // Sets modes that differ from those in git, as on Windows, or on file systems on which every file is executable.
    chmodSync(join(repository, "run.sh"), 0o644);
    chmodSync(join(repository, "text.md"), 0o755);
    expect((await executableIn(repository)).sort()).toEqual(["own.sh", "run.sh"]);
  });

  test("follows git's rules in a subfolder of the repository", async () => {
    const repository = repositoryOf({ "agent/é/run.sh": "#!" });
    git(repository, ["add", "."]);
    chmodSync(join(repository, "agent/é/run.sh"), 0o644);
    expect(await executableIn(join(repository, "agent"))).toEqual(["é/run.sh"]);
  });

  test("follows the file system, and reports why, if git rejects the repository", async () => {
    const repository = repositoryOf({ "inner/run.sh": "#!" });
    git(join(repository, "inner"), ["init", "--quiet"]);
    writeFile(join(repository, "inner/.git/config"), "[core\n");
    const listing = await sourceFiles([await realFolder(repository)]);
    expect(listing.gitProblem).toMatch(/bad config line 1/);
    expect(listing.files).toMatchObject([{ path: "inner/run.sh", isExecutable: true }]);
  });
});

test("does not send a tracked link that Windows stores as a file", async () => {
  const repository = repositoryOf({ "a.mjs": "" });
  symlinkSync("a.mjs", join(repository, "link"));
  git(repository, ["add", "."]);
  rmSync(join(repository, "link"));
  writeFileSync(join(repository, "link"), "a.mjs");
  expect(await sentFrom(repository)).toEqual(["a.mjs"]);
});
