import { rmSync } from "node:fs";
import { join } from "node:path";
import lock from "../lock.cjs";
import { isFresh, isInstalledAsLocked, stampFile, writeStamp } from "./freshness.mjs";
import { exitCodes, runNpm } from "./npm.mjs";
import { statusLine } from "./status-line.mjs";

/** What is in npm's cache is what the lock file says, so the registry is asked for nothing that is there. */
const words = ["ci", "--prefer-offline", "--no-audit", "--no-fund"];

/**
 * Brings node_modules up to date; of several processes at a time one installs and the others wait for it.
 * Returns the exit code to end with, or undefined when all is well.
 */
export async function install(root) {
  const abort = new AbortController();
  const stop = (signal) => abort.abort(signal);
  for (const signal of Object.keys(exitCodes)) process.on(signal, stop);
  try {
    return await lock.withLock(
      join(root, ".agentserver", "install.lock"),
      () => bringUpToDate(root, abort.signal),
      {
        signal: abort.signal,
        onWait: (owner) =>
          console.error(`waiting for another installation of the dependencies (process ${owner})…`),
      },
    );
  } catch (error) {
    if (abort.signal.aborted) return exitCodes[abort.signal.reason];
    throw error;
  } finally {
    for (const signal of Object.keys(exitCodes)) process.off(signal, stop);
  }
}

async function bringUpToDate(root, signal) {
  if (isFresh(root)) return undefined;
  if (isInstalledAsLocked(root)) {
    writeStamp(root);
    return undefined;
  }
  // Without its stamp an installation that is interrupted from here on is done again.
  rmSync(stampFile(root), { force: true });

  const line = statusLine("installing dependencies");
  try {
    const result = await runNpm(words, root, signal);
    signal.throwIfAborted();
    if (result.code === 0) {
      writeStamp(root);
      line.end("✓ dependencies installed");
      return undefined;
    }
    line.end("✗ the dependencies could not be installed; npm said:");
    console.error(result.output.trimEnd());
    return 1;
  } finally {
    line.end();
  }
}
