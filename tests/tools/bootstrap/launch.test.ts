import { rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readJson } from "../../json";
import { until } from "../waiting";
import { Project } from "./project";

test("runs the command in the repository with the project's programs first on the PATH", async () => {
  const project = new Project();
  project.write("tools/commands/where.ts", `console.log(JSON.stringify([process.cwd(), process.env.PATH]))`);

  const { stdout } = await project.run("where");

  const [folder, path] = readJson<[string, string]>(stdout);
  expect(folder).toBe(project.root);
  expect(path).toBe([join(project.root, "node_modules", ".bin"), join(project.root, "bin")].join(delimiter));
});

test.each([
  ["process.exit(7)", 7],
  ["process.kill(process.pid, 'SIGKILL')", 137],
])("exits after a command that calls %s with code %i", async (source, code) => {
  const project = new Project();
  project.write("tools/commands/end.ts", source);

  expect(await project.run("end")).toMatchObject({ code });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "forwards %s to the command, and waits until the command exits",
  async (signal) => {
    const project = new Project();
    project.write(
      "tools/commands/stay.ts",
      `process.once("${signal}", () => setImmediate(() => { console.log("tidied up"); process.exit(9); }));
     setInterval(() => {}, 1000);
     console.log("ready");`,
    );
    const { child, seen, outcome } = project.start(["stay"]);
    await until(() => seen.stdout.includes("ready"));

    child.kill(signal);

    expect(await outcome).toMatchObject({ code: 9, stdout: "ready\ntidied up\n" });
  },
);

test.each([
  [["hallo"], `Unknown command "hallo". Available commands: hello.\n`],
  [[], "Specify a command. Available commands: hello.\n"],
])("lists the available commands if the arguments are %j", async (words, answer) => {
  const project = new Project();
  await project.run();

  expect(await project.start(words).outcome).toEqual({ code: 2, stdout: "", stderr: answer });
});

test("suggests `npm ci` if the project's Node.js is missing", async () => {
  const project = new Project();
  await project.run();
  rmSync(join(project.root, "node_modules", "node"), { recursive: true });

  const { code, stderr } = await project.run();

  expect(code).toBe(1);
  expect(stderr).toContain("run `npm ci`");
});

test("rejects an old Node.js version with a one-line error", async () => {
  const project = new Project();
  project.write("old.cjs", `Object.defineProperty(process, "versions", { value: { node: "18.20.0" } })`);

  const { code, stderr } = await project.start(["hello"], ["--require", join(project.root, "old.cjs")])
    .outcome;

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Node 20 or later is required, but this is .*\. Install a newer version and try again\.\n$/,
  );
});
