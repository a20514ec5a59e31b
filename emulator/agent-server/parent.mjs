// The link to the control plane: one pipe that carries reports there as lines of JSON, and whose end means
// that the control plane is gone.
import { writeSync } from "node:fs";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { markName } from "./marked.cjs";

const linkFd = 3;

/** Tells the control plane something; returns when it is written, so that it survives a `process.exit`. */
export function report(message) {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(linkFd, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") return;
    }
  }
}

/**
 * From here on this process and all it started end with the control plane. What `beforeEnd` is given is done before,
 * if the process can still do it.
 */
export async function endWithParent() {
  const watcher = new Worker(new URL("./lifeline.mjs", import.meta.url), {
    workerData: { fd: linkFd, mark: process.env[markName] },
    execArgv: [],
  });
  await once(watcher, "message");
  let work = async () => undefined;
  watcher.on("message", () => {
    work().finally(() => watcher.postMessage("done"));
  });
  watcher.unref();
  return { beforeEnd: (action) => void (work = action) };
}
