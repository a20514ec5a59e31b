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

const lifeline = new Socket({ fd: workerData.fd, readable: true, writable: false });
for (const event of ["end", "close", "error"]) lifeline.on(event, end);
lifeline.resume();
parentPort.postMessage("watching");
