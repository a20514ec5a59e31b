import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryAddress } from "../../../policies/deployment/repository";
import { fc } from "../../properties";
import { isLongRun } from "../../reliability/figures";
import { temporaryFolder } from "../../tools/temporary-folder";

const parts = [
  ...["github.com", "GitHub.com", "evil.example", "acme", "a", "x", "22", "git", "..", "-p"],
  ...["https://", "ssh://", "git://", "file://", "ext::", "https:", "ssh:", "://", "::"],
  ...[":", ":", "/", "/", "//", "@", "[", "]", "?", "#", "\\", "%2f", "%40", "%2e", " ", "\t", "~"],
];
const shapes = fc.oneof(
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 9 }),
  fc
    .array(fc.constantFrom(...parts), { maxLength: 3 })
    .map((some) => ["ssh://", ...some, "github.com/acme/a"]),
  fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((some) => [...some, "github.com/acme/a"]),
  fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((some) => ["github.com", ...some, "acme/a"]),
  fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((some) => ["git@github.com:", ...some]),
);

const onlyWithScripts = process.platform === "win32" ? test.skip : test;

onlyWithScripts(
  "returns the host that Git itself connects to, or none",
  async () => {
    const connectedHost = fakeSsh();
    fc.assert(
      fc.property(
        shapes.map((all) => all.join("")),
        (url) => {
          const [host] = repositoryAddress(url).split("/");
          if (!host) return;
          // Git passes these URLs to an HTTP client, and treats `git://` like `ssh://`.
          const expected = /^\s*https?:\/\//i.test(url)
            ? hostByRfc3986(url)
            : connectedHost(url.trim().replace(/^git:/i, "ssh:"));
          // Without a connection, git has refused the URL.
          if (expected !== undefined) expect({ url, host }).toEqual({ url, host: expected.toLowerCase() });
        },
      ),
      { numRuns: isLongRun ? 200_000 : 1_500 },
    );
  },
  3_600_000,
);

/**
 * Returns a function that runs git with a URL and returns the host that git passes to ssh. Git starts a fake program
 * instead of ssh, so nothing is sent.
 */
function fakeSsh(): (url: string) => string | undefined {
  const folder = temporaryFolder({
    ssh: '#!/bin/sh\nfor word; do printf "%s\\0" "$word"; done > "$SEEN"\nexit 1\n',
  });
  const seen = join(folder, "seen");
  return (url) => {
    rmSync(seen, { force: true });
    const { error } = spawnSync("git", ["-c", "protocol.version=0", "ls-remote", "--", url], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        SEEN: seen,
        GIT_SSH: join(folder, "ssh"),
        GIT_SSH_VARIANT: "ssh",
        GIT_ALLOW_PROTOCOL: "ssh",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
      },
    });
    if (error) throw error;
    if (!existsSync(seen)) return undefined;
    const words = readFileSync(seen, "utf8").split("\0").slice(0, -1);
    const port = words.includes("-p") ? `:${words[words.indexOf("-p") + 1]}` : "";
    return words.at(-2)!.replace(/^.*@/, "") + port;
  };
}

/** Returns the host of a URL according to appendix B of RFC 3986. */
function hostByRfc3986(url: string): string {
  const [, authority = ""] = /^[^:/?#]+:\/\/([^/?#]*)/.exec(url.trim()) ?? [];
  return authority.replace(/^.*@/, "").replace(/:(443|80)?$/, "");
}
