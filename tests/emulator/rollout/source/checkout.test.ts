import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { checkOut } from "../../../../emulator/rollout/source/checkout";
import { repositoryAddress } from "../../../../emulator/rollout/source/repository-address";
import { Repository, temporaryFolder } from "../repository";

const repository = new Repository();
const first = repository.commit({ "file.txt": "first" });
repository.git("tag", "v1");
repository.git("tag", "-a", "annotated", "-m", "first");
const second = repository.commit({ "file.txt": "second" });
const third = repository.commit({ "file.txt": "third" });
repository.git("branch", "feature/x", second);
repository.git("branch", "twin", first);
repository.git("tag", "twin", second);
repository.git("checkout", "--quiet", "--detach", "HEAD");
const dangling = repository.commit({ "file.txt": "dangling" });
repository.git("checkout", "--quiet", "main");
repository.write({ "file.txt": "not committed", "new.txt": "not committed" });

function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    });
}

async function checkOutOf(
  url: string,
  ref: string,
): Promise<{ commit: string; text: string; folder: string }> {
  const folder = join(temporaryFolder("checkout"), "source");
  const commit = await checkOut(repositoryAddress(url), ref, folder, new AbortController().signal);
  return { commit, text: readFileSync(join(folder, "file.txt"), "utf8"), folder };
}

describe("a ref", () => {
  test.each([
    ["a branch", "main", third, "third"],
    ["a branch with a slash", "feature/x", second, "second"],
    ["a branch by its full name", "refs/heads/feature/x", second, "second"],
    ["a tag", "v1", first, "first"],
    ["a tag by its full name", "refs/tags/v1", first, "first"],
    ["an annotated tag", "annotated", first, "first"],
    ["a branch rather than a tag with the same name", "twin", first, "first"],
    ["a tag by its full name even if a branch has the same name", "refs/tags/twin", second, "second"],
    ["a commit that is not the tip of a branch", second, second, "second"],
    ["an abbreviated commit", second.slice(0, 8), second, "second"],
    ["a commit that is not on any branch", dangling, dangling, "dangling"],
    ["the default branch", "HEAD", third, "third"],
  ])("is supported if it is %s", async (_, ref, commit, text) => {
    const got = await checkOutOf(repository.folder, ref);
    expect(got).toMatchObject({ commit, text });
    expect(existsSync(join(got.folder, "new.txt"))).toBe(false);
  });

  test.each(["no-such-branch", "refs/tags/none", "0123456789012345678901234567890123456789", "abcdef0"])(
    "is reported if it does not exist: %s",
    async (ref) => {
      await expect(checkOutOf(repository.folder, ref)).rejects.toThrow(
        `has no branch, tag, or commit "${ref}"`,
      );
    },
  );

  test.each(["--upload-pack=touch made-it", "-x", "a b", "a..b", "main^", "*", "HEAD@{1}", "a:b", "/main"])(
    "is rejected if git would interpret it as something else: %s",
    async (ref) => {
      await expect(checkOutOf(repository.folder, ref)).rejects.toThrow(
        "is not a branch, a tag, or a commit hash",
      );
    },
  );
});

describe("a repository", () => {
  test("is supported if it is bare, or if a URL specifies it", async () => {
    const bare = join(temporaryFolder("bare"), "it.git");
    execFileSync("git", ["clone", "--quiet", "--bare", repository.folder, bare], { stdio: "pipe" });
    expect(await checkOutOf(bare, "v1")).toMatchObject({ commit: first });
    expect(await checkOutOf(`file://${bare}`, second.slice(0, 7))).toMatchObject({ commit: second });
  });

  test("is reported if it cannot be read", async () => {
    await expect(checkOutOf("/nowhere/at/all", "main")).rejects.toThrow(
      /^The repository \/nowhere\/at\/all cannot be read: .*not appear to be a git repository/,
    );
  });

  test("causes an error about a missing branch if it has no commits", async () => {
    await expect(checkOutOf(new Repository().folder, "main")).rejects.toThrow(
      'no branch, tag, or commit "main"',
    );
  });

  test("is included in errors without the credentials in its URL", async () => {
    const url = "http://someone:s3cr3t-token@127.0.0.1:9/org/repo.git";
    const address = repositoryAddress(url);
    expect(address).toEqual({
      fetch: "http://127.0.0.1:9/org/repo.git",
      login: { username: "someone", password: "s3cr3t-token" },
      shown: "http://127.0.0.1:9/org/repo.git",
      credentials: expect.arrayContaining(["s3cr3t-token", "someone"]),
    });
    const failure = await checkOutOf(url, "main").catch((error: unknown) => (error as Error).message);
    expect(failure).toContain("The repository http://127.0.0.1:9/org/repo.git cannot be read");
    expect(failure).not.toContain("s3cr3t-token");
  });

  test("is read with the credentials in its URL, without exposing them in the process list", async () => {
    const seen: string[] = [];
    const shown: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization ?? "");
      shown.push(...commandLines().filter((line) => /s3cr3t|some%20one/.test(line)));
      response.writeHead(request.headers.authorization ? 404 : 401, { "www-authenticate": "Basic" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://some%20one:s3cr3t%2Ftoken@127.0.0.1:${port}/org/repo.git`;
    await expect(checkOutOf(url, "main")).rejects.toThrow("cannot be read");
    server.close();
    expect(seen).toContain(`Basic ${Buffer.from("some one:s3cr3t/token").toString("base64")}`);
    expect(shown).toEqual([]);
  });

  test.each([
    "ext::sh -c touch% made-it",
    "fd::7",
    "--upload-pack=x",
    "-x",
    "org/repo",
    "./here",
    "ftp://host/x",
    "ssh://-oProxyCommand=x/y",
  ])("is rejected if its URL is unsafe or incomplete: %s", (url) => {
    expect(() => repositoryAddress(url)).toThrow(/is not supported|is not a valid URL/);
  });

  test.each(["git@github.com:org/repo.git", "ssh://git@github.com/org/repo", "https://github.com/org/repo"])(
    "is supported if it is remote: %s",
    (url) => {
      expect(repositoryAddress(url).fetch).toBe(url);
    },
  );
});
