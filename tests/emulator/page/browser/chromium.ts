import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** A Chromium browser that can be started on this machine. */
export interface Chromium {
  executable: string;
  env: Record<string, string>;
}

const commands = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const applications = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
const howToInstall =
  "These tests need Chromium. The npm packages bring one for Linux on x64; elsewhere install Chromium or Google " +
  "Chrome (Debian: apt-get install -y chromium) so that it is on PATH.";

/**
 * Returns the Chromium of the system, or the one from the npm packages.
 *
 * @param folder - Empty folder that the Chromium from the packages is unpacked into.
 */
export function findChromium(folder: string): Chromium {
  const found = [...commands, ...applications].find((command) => starts({ executable: command, env: {} }));
  const chromium = found ? { executable: pathOf(found), env: {} } : shippedChromium(folder);
  if (!chromium) throw new Error(howToInstall);
  return chromium;
}

function shippedChromium(folder: string): Chromium | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const script = join(__dirname, "shipped-chromium.mjs");
  const shown = execFileSync(process.execPath, [script], { env: { ...process.env, TMPDIR: folder } });
  const { executable, libraries } = JSON.parse(shown.toString()) as { executable: string; libraries: string };
  const fonts: Record<string, string> = existsSync("/etc/fonts/fonts.conf")
    ? {}
    : { FONTCONFIG_PATH: join(folder, "fonts") };
  // The package contains libraries that a minimal system lacks.
  return [
    { executable, env: fonts },
    { executable, env: { ...fonts, LD_LIBRARY_PATH: libraries } },
  ].find(starts);
}

function starts({ executable, env }: Chromium): boolean {
  return spawnSync(executable, ["--version"], { env: { ...process.env, ...env } }).status === 0;
}

function pathOf(command: string): string {
  if (command.startsWith("/")) return command;
  return execFileSync("which", [command]).toString().trim();
}
