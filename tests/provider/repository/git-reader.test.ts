import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitReader } from "../../../provider/repository/git-reader";
import { gone, until } from "../../tools/waiting";
import { publicEnvironment } from "../../../provider/repository/git";

let folder: string;
let repository: string;
let commit: string;

const git = (...words: string[]) =>
  execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    encoding: "utf8",
  }).trim();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-git-")));
  repository = join(folder, "agents");
  mkdirSync(join(repository, "agent"), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repository, "agent", "langgraph.json"), "{}");
  symlinkSync("agent", join(repository, "linked"));
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  git("tag", "v1");
  git("branch", "feature/x");
  commit = git("rev-parse", "HEAD");
  writeFileSync(join(repository, "uncommitted.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const look = (ref?: string, path?: string, address = repository) =>
  gitReader(process.env)({ address, ref, path }, never);

test("finds branches, tags, and commits by every name that git accepts", async () => {
  const refs = [
    "main",
    "feature/x",
    "v1",
    "refs/tags/v1",
    "refs/heads/main",
    "HEAD",
    commit,
    commit.slice(0, 8),
  ];
  for (const ref of refs) expect([ref, await look(ref, "agent/langgraph.json")]).toEqual([ref, "there"]);
  expect(await look()).toBe("there");
});

test("reports a missing ref, even if another ref starts with the same name", async () => {
  for (const ref of ["mian", "feature", "refs/tags/main", "f".repeat(40)])
    expect([ref, await look(ref)]).toEqual([ref, "no ref"]);
});

test("requires a file to exist in the commit, not only in the folder", async () => {
  expect(await look("main", "./agent/../agent/langgraph.json")).toBe("there");
  expect(await look("main", "langgraph.json")).toBe("no file");
  expect(await look("main", "uncommitted.json")).toBe("no file");
  expect(await look("main", "*.json")).toBe("no file");
  // Targets of links, and files outside the folder, are not checked here.
  expect(await look("main", "linked/langgraph.json")).toBe("unclear");
  expect(await look("main", "../langgraph.json")).toBe("unclear");
});

test("reports a missing folder, one without a repository, and one inside a repository", async () => {
  expect(await look("main", undefined, join(folder, "nothing"))).toBe("no repository");
  expect(await look("main", undefined, folder)).toBe("no repository");
  expect(await look("main", undefined, join(repository, "agent"))).toBe("no repository");
});

test("does not search for a ref that could be an option or a wildcard", async () => {
  for (const ref of ["--upload-pack=x", "a b", "ma*", "main..v1", "main^"])
    expect(await look(ref)).toBe("unclear");
});

test('returns "unclear" without git, after an abort, or without a response', async () => {
  const view = { address: repository, ref: "main", path: undefined };
  expect(await gitReader({ ...process.env, PATH: folder })(view, never)).toBe("unclear");
  expect(await gitReader(process.env)(view, AbortSignal.abort())).toBe("unclear");
  expect(await look("main", undefined, "https://127.0.0.1:1/agents.git")).toBe("unclear");
});

test("stops a hanging git with all its child processes", async () => {
  const fake = join(folder, "bin");
  const helper = join(folder, "helper");
  mkdirSync(fake);
  writeFileSync(
    join(fake, "git"),
    `#!/bin/sh\nsleep 600 &\necho $! > "${helper}.new"\nmv "${helper}.new" "${helper}"\nwait\n`,
    { mode: 0o755 },
  );
  const stop = new AbortController();
  const view = { address: "https://git.example.com/a.git", ref: "main", path: undefined };
  const looked = gitReader({ ...process.env, PATH: `${fake}:${process.env["PATH"]}` })(view, stop.signal);
  await until(() => existsSync(helper));
  stop.abort();
  expect(await looked).toBe("unclear");
  await gone(Number(readFileSync(helper, "utf8")));
});

test("gives git no credentials or settings when it reads from another host", () => {
  const env = publicEnvironment({
    PATH: "/bin",
    HOME: "/home/user",
    GIT_ASKPASS: "/bin/ask",
    GIT_CONFIG_COUNT: "1",
    SSH_AUTH_SOCK: "/run/agent",
    AGENTSERVER_API_KEY: "key",
    HTTPS_PROXY: "http://proxy.example.com",
  });
  expect(env).toEqual({
    PATH: "/bin",
    HTTPS_PROXY: "http://proxy.example.com",
    HOME: "/dev/null",
    USERPROFILE: "/dev/null",
    XDG_CONFIG_HOME: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "https",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  });
});
