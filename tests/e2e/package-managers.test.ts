import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { ensurePackageManager, type PackageManager } from "../../tools/package-managers/ensure";
import { run } from "../../tools/process";
import { packInto } from "../../tools/quickstart/packed";
import { agentArgs } from "./programs";
import { World } from "./world";

let world: World;
let tarball: string;

beforeAll(async () => {
  world = await World.start({ package: "none" });
  world.admin.steer({ pace: "at once" });
  await ensureBuilt();
  mkdirSync(join(world.folder, "tarball"));
  tarball = await packInto(join(world.folder, "tarball"));
});
afterAll(() => world.end());

const declaration = (name: string) => `new Deployment("agent", ${JSON.stringify(agentArgs({ name }))});\n`;

/** A variant of a program: its file, its text, and the settings that the project needs for it. */
interface Writing {
  file: string;
  text: (name: string) => string;
  type?: "module";
  options: object;
  needs: Record<string, string>;
}

const commonJs: Writing = {
  file: "index.js",
  text: (name) => `const { Deployment } = require("pulumi-agentserver");\nexports.url = ${declaration(name)}`,
  options: { typescript: false },
  needs: {},
};

const esModule: Writing = {
  file: "index.js",
  text: (name) =>
    `import { Deployment } from "pulumi-agentserver";\nexport const agent = ${declaration(name)}`,
  type: "module",
  options: { typescript: false },
  needs: {},
};

const typescript: Writing = {
  file: "index.ts",
  text: (name) =>
    `import { Deployment } from "pulumi-agentserver";\nexport const agent = ${declaration(name)}`,
  options: {},
  needs: { typescript: "5.9.3", "@types/node": "24.19.2" },
};

const typescriptModule: Writing = {
  ...typescript,
  type: "module",
  // Node strips the types.
  options: { typescript: false, nodeargs: "--no-warnings" },
};

test.each<[string, PackageManager, Writing, string[], Record<string, string>]>([
  [
    "pnpm as an ES module",
    "pnpm",
    esModule,
    ["install"],
    { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
  ],
  ["Yarn classic as CommonJS", "yarn", commonJs, ["install", "--no-lockfile", "--ignore-engines"], {}],
  ["Yarn in TypeScript", "berry", typescript, ["install"], { ".yarnrc.yml": "nodeLinker: node-modules\n" }],
  ["Bun as a TypeScript ES module", "bun", typescriptModule, ["install"], {}],
])("installs and deploys a program with %s", async (_, manager, writing, words, files) => {
  const stack = await world.stack(manager);
  const folder = join(world.folder, manager);
  const { file, text, type, options, needs } = writing;
  stack.write(
    "package.json",
    JSON.stringify({
      name: manager,
      private: true,
      main: file,
      ...(type && { type }),
      dependencies: { "pulumi-agentserver": `file:${tarball}`, "@pulumi/pulumi": "3.259.0", ...needs },
    }),
  );
  const runtime = {
    name: "nodejs",
    options: { packagemanager: manager === "berry" ? "yarn" : manager, ...options },
  };
  stack.write("Pulumi.yaml", JSON.stringify({ name: manager, runtime }));
  rmSync(join(folder, "index.js"));
  stack.write(file, text(manager));
  for (const [name, content] of Object.entries(files)) stack.write(name, content);
  const [program = "", ...before] = await ensurePackageManager(manager, process.env);
  // In CI, package managers require a lock file, which a new project does not have.
  const env = { ...process.env, CI: undefined };
  const installed = await run(program, [...before, ...words], { cwd: folder, env });
  expect(installed.code === 0 ? "" : installed.stdout + installed.stderr).toBe("");

  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(up.changes).toEqual({ create: 2 });
  expect((await stack.preview("--expect-no-changes")).code).toBe(0);
  expect((await stack.destroy()).code).toBe(0);
});
