import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../process";
import type { Bundle } from "./bundle";
import { withAdHocSignature } from "./mach-o-signature";
import { ensureNode, type NodeOptions } from "./node-binary";
import { type Platform, thisPlatform } from "./platforms";

/** Name of the provider plugin's executable. */
export const executableName = "pulumi-resource-agentserver";

/**
 * Names under which Node.js finds the program in its executable, and the marker that indicates that the executable
 * contains one.
 */
const resource = {
  name: "NODE_SEA_BLOB",
  fuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
  machOSegment: "NODE_SEA",
};

/** Writes the executable of the provider plugin for a platform. The executable consists of Node.js and the bundle. */
export async function writeExecutable(
  file: string,
  platform: Platform,
  { code }: Bundle,
  options: NodeOptions,
): Promise<void> {
  const { binary } = await ensureNode(platform, options);
  const folder = mkdtempSync(join(tmpdir(), "agentserver-executable-"));
  try {
    const blob = await writeBlob(folder, code, options);
    copyFileSync(binary, file);
    chmodSync(file, 0o755);
    const segment = platform.os === "darwin" ? ["--macho-segment-name", resource.machOSegment] : [];
    const args = [file, resource.name, blob, "--sentinel-fuse", resource.fuse, ...segment];
    await runNode(process.execPath, [require.resolve("postject/dist/cli.js"), ...args], folder, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (platform.os === "darwin") writeFileSync(file, withAdHocSignature(readFileSync(file), executableName));
}

/**
 * Writes the code in the format that Node.js reads from its executable, and returns the path of the file. The file is
 * the same for all platforms, because it contains no compiled code.
 */
async function writeBlob(folder: string, code: Buffer, options: NodeOptions): Promise<string> {
  const config = {
    main: "plugin.js",
    output: "plugin.blob",
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: false,
  };
  writeFileSync(join(folder, config.main), code);
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const { binary } = await ensureNode(thisPlatform(), options);
  await runNode(binary, ["--experimental-sea-config", "config.json"], folder, options);
  return join(folder, config.output);
}

async function runNode(
  node: string,
  args: string[],
  cwd: string,
  { env, signal }: NodeOptions,
): Promise<void> {
  const { code, stdout, stderr } = await run(node, args, { cwd, env, signal });
  if (code !== 0) throw new Error(`The executable could not be built:\n${stdout}${stderr}`.trim());
}
