import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InstallationCache } from "../../../../emulator/rollout/runtimes/installation-cache";
import { temporaryFolder } from "../repository";

const env = process.env;
afterAll(() => void (process.env = env));

let caches: string;
let target: string;
let cache: InstallationCache;

beforeEach(() => {
  caches = temporaryFolder("caches");
  target = join(temporaryFolder("revision"), "packages");
  process.env = { ...env, AGENTSERVER_CACHE: caches };
  cache = new InstallationCache("packages");
});

/**
 * Returns a function that installs two files, in an order that depends on the text. Other installations can write
 * between the two files.
 */
const install = (text: string) => async (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const names = ["first", "second"];
  for (const name of text.length % 2 === 0 ? names.reverse() : names) {
    writeFileSync(join(folder, name), text);
    await setImmediate();
  }
};

const copyTo = (folder: string) => (from: string) => cp(from, folder, { recursive: true });
const take = (key: string, folder = target) => cache.take(key, folder, copyTo(folder));
const filesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const keysIn = () => readdirSync(join(caches, "packages")).sort();

test("copies only an installation with the same key", async () => {
  await cache.keep("key", install("one"));
  expect(await take("other")).toBe(false);
  expect(existsSync(target)).toBe(false);
  expect(await take("key")).toBe(true);
  expect(filesOf(target)).toEqual({ first: "one", second: "one" });
});

test("does not use an installation before it is complete, or if its process was killed", async () => {
  const begun = new Promise<void>((resolve) => {
    void cache.keep("key", (folder) => {
      mkdirSync(folder);
      writeFileSync(join(folder, "first"), "half");
      resolve();
      return new Promise(() => undefined);
    });
  });
  await begun;
  expect(await take("key")).toBe(false);
  await cache.keep("key", install("whole"));
  expect(await take("key")).toBe(true);
  expect(filesOf(target)).toEqual({ first: "whole", second: "whole" });
});

test("keeps exactly one complete installation of several concurrent ones", async () => {
  const texts = ["one", "two", "three", "four"];
  await Promise.all(texts.map((text) => new InstallationCache("packages").keep("key", install(text))));
  expect(keysIn()).toEqual(["key"]);
  expect(await take("key")).toBe(true);
  const { first, second } = filesOf(target);
  expect(texts).toContain(first);
  expect(second).toBe(first);
});

test("discards a copy if the installation is removed or replaced while it is copied", async () => {
  await cache.keep("key", install("one"));
  const other = new InstallationCache("packages");
  const isComplete = await cache.take("key", target, async (from) => {
    mkdirSync(target);
    writeFileSync(join(target, "first"), readFileSync(join(from, "first")));
    // Another process finds that the installation is damaged, and replaces it.
    await other.take("key", `${target}-2`, () => Promise.reject(new Error("damaged")));
    await other.keep("key", install("two"));
  });
  expect(isComplete).toBe(false);
  expect(existsSync(target)).toBe(false);
  expect(await take("key")).toBe(true);
  expect(filesOf(target)).toEqual({ first: "two", second: "two" });
});

test("replaces a damaged installation", async () => {
  await cache.keep("key", install("one"));
  rmSync(join(caches, "packages", "key", "content"), { recursive: true });
  expect(await take("key")).toBe(false);
  await cache.keep("key", install("two"));
  expect(await take("key")).toBe(true);
  expect(filesOf(target)["first"]).toBe("two");
});

test("keeps the eight most recently used installations, and completes interrupted removals", async () => {
  mkdirSync(join(caches, "packages", "removed-1"), { recursive: true });
  for (const [index, key] of ["a", "b", "c", "d", "e", "f", "g", "h"].entries()) {
    await cache.keep(key, install(key));
    utimesSync(join(caches, "packages", key), index + 1, index + 1);
  }
  await take("a");
  await cache.keep("i", install("i"));
  expect(keysIn()).toEqual(["a", "c", "d", "e", "f", "g", "h", "i"]);
});
