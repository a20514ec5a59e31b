import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../json";
import { buildEngine } from "../../../tools/dev-engine/build";
import { ensureEngine } from "../../../tools/dev-engine/ensure";
import { engineVersion } from "../../../tools/dev-engine/version";
import { temporaryFolder } from "../temporary-folder";
import { fakeInstaller, Machine } from "./machine";

const noInstaller = () => Promise.reject(new Error("no network"));

test("uses the `pulumi` command on the PATH if it is recent enough", async () => {
  const machine = new Machine().withPulumi("v3.300.1").withGo();

  const engine = await ensureEngine(machine.options);

  const binFolder = join(machine.folder, "bin");
  expect(engine).toEqual({
    pulumi: join(binFolder, "pulumi"),
    binFolder,
    version: "3.300.1",
    origin: "path",
  });
});

test.each([
  ["too old", new Machine().withPulumi("v3.258.9")],
  ["of another major version", new Machine().withPulumi("v4.300.0")],
  ["without its language host", new Machine().withPulumi("v3.300.0", ["pulumi-resource-pulumi-nodejs"])],
  ["missing", new Machine()],
])("builds and caches the engine if the `pulumi` command on the PATH is %s", async (_, machine) => {
  machine.withGo();

  const built = await ensureEngine(machine.options);
  const cached = await ensureEngine(machine.options);

  expect(built).toMatchObject({ origin: "built", version: engineVersion });
  expect(cached).toEqual({ ...built, origin: "cache" });
  expect(built.binFolder.startsWith(join(machine.cache, "engine", engineVersion))).toBe(true);
  expect(readdirSync(built.binFolder)).toEqual(
    expect.arrayContaining(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]),
  );
  expect(machine.lines("builds")).toHaveLength(1);
});

test("builds independently of the user's Go settings", async () => {
  const machine = new Machine().withGo();
  Object.assign(machine.env, { GOFLAGS: "-mod=vendor", CGO_ENABLED: "1", GOWORK: "/elsewhere" });

  await ensureEngine(machine.options);

  expect(machine.lines("settings")).toEqual(["-mod=readonly 0 off"]);
  expect(machine.lines("builds")[0]).toContain(`version.Version=v${engineVersion}`);
});

test("reports how many packages have been compiled so far", async () => {
  const packages = ["example.com/one", "example.com/two"];
  const machine = new Machine().withGo({ packages, build: `printf '%s\\n' ${packages.join(" ")} >&2` });
  const phases: string[] = [];

  await buildEngine(machine.cache, { env: machine.env, report: (phase) => phases.push(phase) });

  expect(phases.slice(-2)).toEqual(["compiling 1 of 2 packages", "compiling 2 of 2 packages"]);
});

test("reuses an engine that was built by a version with another language host", async () => {
  const machine = new Machine().withGo();
  const built = await ensureEngine(machine.options);
  const folder = join(built.binFolder, "..");
  renameSync(folder, folder.replace(/[^-]+$/, "anotherhost"));

  const again = await ensureEngine(machine.options);

  expect(again).toEqual(built);
  expect(machine.lines("builds")).toHaveLength(1);
});

test.each([
  ["no Go", new Machine()],
  ["Go", new Machine().withGo()],
])("downloads and caches the official engine on a machine with %s", async (_, machine) => {
  const install = jest.fn(fakeInstaller);
  const options = { ...machine.options, install, downloadObstacle: () => Promise.resolve(undefined) };

  const downloaded = await ensureEngine(options);
  const cached = await ensureEngine({ ...machine.options, install });

  expect(downloaded.origin).toBe("downloaded");
  expect(cached).toEqual({ ...downloaded, origin: "cache" });
  expect(install).toHaveBeenCalledTimes(1);
  expect(install).toHaveBeenCalledWith({ version: engineVersion, root: expect.any(String) });
  expect(machine.lines("builds")).toEqual([]);
});

test("builds the engine after a failed download", async () => {
  const machine = new Machine().withGo();
  const downloadObstacle = () => Promise.resolve(undefined);

  const engine = await ensureEngine({ ...machine.options, install: noInstaller, downloadObstacle });

  expect(engine.origin).toBe("built");
});

test("reports on one line what is missing and what to install", async () => {
  const machine = new Machine().withPulumi("v3.100.0");

  await expect(ensureEngine(machine.options)).rejects.toThrow(
    `No Pulumi engine: no pulumi ${engineVersion} or later (3.x) with its Node language host is on the PATH; ` +
      "the official server cannot be reached; Go is not on the PATH. " +
      `Install Go 1.26 or later, or Pulumi ${engineVersion}.`,
  );
});

test("discards an incomplete download", async () => {
  const machine = new Machine();
  const downloadObstacle = () => Promise.resolve(undefined);
  const install = () => Promise.resolve();

  await expect(ensureEngine({ ...machine.options, install, downloadObstacle })).rejects.toThrow("incomplete");

  expect(readdirSync(join(machine.cache, "engine"))).toEqual([]);
});

test.each([
  ["path", "path"],
  ["build", "built"],
  ["download", "downloaded"],
])("uses only %s if AGENTSERVER_ENGINE specifies it", async (choice, origin) => {
  const machine = new Machine().withPulumi("v3.300.0").withGo();
  machine.env.AGENTSERVER_ENGINE = choice;

  const downloadObstacle = () => Promise.resolve(undefined);

  expect(await ensureEngine({ ...machine.options, install: fakeInstaller, downloadObstacle })).toMatchObject({
    origin,
  });
});

test("rejects other values of AGENTSERVER_ENGINE", async () => {
  const machine = new Machine();
  machine.env.AGENTSERVER_ENGINE = "brew";

  await expect(ensureEngine(machine.options)).rejects.toThrow("path, download, build");
});

test("uses the user's cache folder by default", async () => {
  const machine = new Machine().withGo();
  delete machine.env.AGENTSERVER_CACHE;
  machine.env.XDG_CACHE_HOME = temporaryFolder();

  const engine = await ensureEngine(machine.options);

  expect(engine.binFolder.startsWith(join(machine.env.XDG_CACHE_HOME, "pulumi-agentserver", "engine"))).toBe(
    true,
  );
});

test("requires the same version of the SDK and the engine", () => {
  const sdk = readJson<{ version: string }>(
    readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8"),
  );

  expect(sdk.version).toBe(engineVersion);
});
