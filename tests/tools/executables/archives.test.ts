import { readFileSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { list, type ReadEntry } from "tar";
import { version } from "../../../package.json";
import { archiveName, writeArchive } from "../../../tools/executables/archives";
import { bundlePlugin } from "../../../tools/executables/bundle";
import { thirdPartyNotices } from "../../../tools/executables/notices";
import { platforms } from "../../../tools/executables/platforms";
import { temporaryFolder } from "../temporary-folder";

test("gives the archives the names that the engine expects", () => {
  expect(platforms.map(archiveName).sort()).toEqual(
    ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64", "windows-arm64"].map(
      (platform) => `pulumi-resource-agentserver-v${version}-${platform}.tar.gz`,
    ),
  );
});

test("creates identical archives from the same files, and stores them at the root", async () => {
  const write = async (time: number) => {
    const folder = temporaryFolder({ plugin: "the plugin", LICENSE: "the license" });
    utimesSync(join(folder, "plugin"), time, time);
    const file = join(temporaryFolder({}), "archive.tar.gz");
    await writeArchive(file, folder);
    return file;
  };
  const [one, other] = [await write(1_000_000), await write(2_000_000)];
  expect(readFileSync(one)).toEqual(readFileSync(other));
  const paths: string[] = [];
  await list({ file: one, onReadEntry: (entry: ReadEntry) => paths.push(entry.path) });
  expect(paths).toEqual(["LICENSE", "plugin"]);
});

test("includes the license of every package in the executable", async () => {
  const { packages } = await bundlePlugin();
  const names = packages.map((folder) => basename(folder));
  expect(names).toEqual(expect.arrayContaining(["axios", "google-protobuf", "grpc-js", "pulumi", "zod"]));
  const notices = thirdPartyNotices(packages, "the license of Node").split(/\n\n-{80}\n\n/);
  expect(notices).toHaveLength(packages.length + 1);
  for (const text of notices.slice(0, -1))
    expect(text).toMatch(/copyright|permission is hereby granted|apache license/i);
  expect(notices.at(-1)).toContain("the license of Node");
});
