import { rmSync } from "node:fs";
import { join } from "node:path";
import { gone, isAlive, until } from "../waiting";
import { Project } from "./project";

const ci = "ci --prefer-offline --no-audit --no-fund";

test("installs missing dependencies once, and runs the command", async () => {
  const project = new Project();

  const first = await project.run("hello", "you", "there");
  const second = await project.run();

  expect(first).toMatchObject({ code: 0, stdout: "hello you there\n" });
  expect(first.stderr).toBe("installing dependencies…\n✓ dependencies installed (0s)\n");
  expect(second).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
  expect(project.npmCalls).toEqual([ci]);
});

test.each([
  ["package-lock.json", "{ }", true],
  ["part/package.json", `{"dependencies":{"a":"1"}}`, true],
  ["package.json", `{"workspaces":["part"],"devDependencies":{"node":"24","b":"2"}}`, true],
  ["package.json", `{"workspaces":["part"],"devDependencies":{"node":"24"},"scripts":{"up":"x"}}`, false],
])("repeats the installation after a change of %s to %s: %s", async (file, content, stale) => {
  const project = new Project();
  await project.run();

  project.write(file, content);
  await project.run();

  expect(project.npmCalls).toEqual(stale ? [ci, ci] : [ci]);
});

test("rejects a lock file that does not match package.json, and does not rewrite it", async () => {
  const project = new Project();
  project.withNpm(`echo "npm error code EUSAGE" >&2; [ $1 = ci ] && exit 1; ${project.installs}`);

  const { code, stderr } = await project.run();

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /✗ the dependencies could not be installed. Output of npm: .*\nnpm error code EUSAGE\n$/,
  );
  expect(project.npmCalls).toEqual([ci]);
});

test("shows the output of npm after a failed installation, and tries again in the next run", async () => {
  const project = new Project().withNpm(`echo "npm error no such package" >&2; exit 1`);

  const failed = await project.run();
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toMatch(
    /✗ the dependencies could not be installed. Output of npm: .*\nnpm error no such package\n$/,
  );
  expect(project.hasStamp).toBe(false);

  project.withNpm(project.installs);
  expect(await project.run()).toMatchObject({ code: 0 });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "stops npm and its children on %s, and repeats the installation in the next run",
  async (signal, code) => {
    const project = new Project();
    await project.run();
    project.write("package-lock.json", "{ }");
    project.write("npm.pid", "");
    project.withNpm("/bin/sleep 1000 & echo $! > sleeper.pid; wait");
    const { child, outcome } = project.start();
    await until(() => project.read("sleeper.pid") !== "");

    child.kill(signal);

    expect((await outcome).code).toBe(code);
    expect(isAlive(await project.npmStarted())).toBe(false);
    await gone(Number(project.read("sleeper.pid")));
    expect(project.hasStamp).toBe(false);
    project.withNpm(project.installs);
    expect(await project.run()).toMatchObject({ code: 0, stdout: "hello\n" });
    expect(project.npmCalls).toEqual([ci, ci, ci]);
  },
);

test("repeats a killed installation without waiting for its lock", async () => {
  const project = new Project().withNpm("exec /bin/sleep 1000");
  const { child } = project.start();
  const npm = await project.npmStarted();
  child.kill("SIGKILL");
  process.kill(npm, "SIGKILL");

  expect(await project.withNpm(project.installs).run()).toMatchObject({ code: 0 });
});

test("waits for another process that is installing", async () => {
  const project = new Project();
  project.withNpm(`while [ ! -e go-on ]; do /bin/sleep 0.05; done; ${project.installs}`);
  const first = project.start();
  await project.npmStarted();
  const second = project.start();
  await until(() => second.seen.stderr.includes("waiting"));

  project.write("go-on", "");

  expect(await first.outcome).toMatchObject({ code: 0, stdout: "hello\n" });
  expect(await second.outcome).toMatchObject({
    code: 0,
    stdout: "hello\n",
    stderr: `waiting for another installation of the dependencies (process ${first.child.pid})…\n`,
  });
  expect(project.npmCalls).toEqual([ci]);
});

describe("after an installation with npm itself", () => {
  const entry = { version: "1.0.0", integrity: "sha512-a" };
  const declared = { "": { devDependencies: { node: "24" } }, part: {} };
  const locked = { ...declared, "node_modules/a": entry, "node_modules/b": { ...entry, optional: true } };

  async function callsAfter(installed: object): Promise<string[]> {
    const project = new Project();
    await project.run();
    project.write("package-lock.json", JSON.stringify({ packages: locked }));
    project.write("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
    await project.run();
    return project.npmCalls;
  }

  test("does not repeat the installation if it matches the lock file", async () => {
    expect(await callsAfter({ "node_modules/a": entry })).toEqual([ci]);
  });

  test.each([{}, { "node_modules/a": { ...entry, version: "1.0.1" } }])(
    "repeats the installation if the installed packages are %j",
    async (installed) => {
      expect(await callsAfter(installed)).toEqual([ci, ci]);
    },
  );
});

test("suggests installing npm if it is missing", async () => {
  const project = new Project();
  rmSync(join(project.root, "bin", "npm"));

  const { code, stderr } = await project.run();

  expect(code).toBe(1);
  expect(stderr).toContain("npm is not on the PATH. Install it");
});
