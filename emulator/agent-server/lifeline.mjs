// Runs as a worker thread beside the agent: graph code that blocks the main thread cannot keep it from
// noticing that the control plane is gone.
import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { killMarked } from "./marked.cjs";

function end() {
  killMarked(workerData.mark, process.pid);
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
}

/** Gives the main thread a moment to write down what it has; it may be blocked. */
function endSoon() {
  if (ending) return;
  ending = true;
  parentPort.once("message", end);
  parentPort.postMessage("ending");
  setTimeout(end, graceMs);
}

const graceMs = 1000;
let ending = false;
const lifeline = new Socket({ fd: workerData.fd, readable: true, writable: false });
for (const event of ["end", "close", "error"]) lifeline.on(event, endSoon);
lifeline.resume();
parentPort.postMessage("watching");
