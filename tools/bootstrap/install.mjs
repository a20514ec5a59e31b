import { rmSync } from "node:fs";
import { join } from "node:path";
import lock from "../lock.cjs";
import { isFresh, isInstalledAsLocked, stampFile, writeStamp } from "./freshness.mjs";
import { exitCodes, runNpm } from "./npm.mjs";
import { statusLine } from "./status-line.mjs";

/**
 * Arguments for npm. The lock file pins the contents of npm's cache, so the registry is used only for missing packages.
 */
const npmArguments = ["ci", "--prefer-offline", "--no-audit", "--no-fund"];

/**
 * Updates node_modules. If several processes do so concurrently, one of them installs and the others wait. Returns the
 * exit code for the process, or undefined on success.
 */
export async function install(root) {
  const abort = new AbortController();
  const stop = (signal) => abort.abort(signal);
  for (const signal of Object.keys(exitCodes)) process.on(signal, stop);
  try {
    return await lock.withLock(join(root, ".agentserver", "install.lock"), () => update(root, abort.signal), {
      signal: abort.signal,
      onWait: (owner) =>
        console.error(`waiting for another installation of the dependencies (process ${owner})…`),
    });
  } catch (error) {
    if (abort.signal.aborted) return exitCodes[abort.signal.reason];
    throw error;
  } finally {
    for (const signal of Object.keys(exitCodes)) process.off(signal, stop);
  }
}

async function update(root, signal) {
  if (isFresh(root)) return undefined;
  if (isInstalledAsLocked(root)) {
    writeStamp(root);
    return undefined;
  }
  // Without the stamp, an interrupted installation is repeated.
  rmSync(stampFile(root), { force: true });

  const line = statusLine("installing dependencies");
  try {
    const result = await runNpm(npmArguments, root, signal);
    signal.throwIfAborted();
    if (result.code === 0) {
      writeStamp(root);
      line.end("✓ dependencies installed");
      return undefined;
    }
    line.end("✗ the dependencies could not be installed. Output of npm:");
    console.error(result.output.trimEnd());
    return 1;
  } finally {
    line.end();
  }
}
