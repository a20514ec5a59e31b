// Finds what an agent started and what then left its process group, as browsers do: such processes still carry
// the mark in their environment. Only where there is /proc; elsewhere nothing is found.
const { readdirSync, readFileSync } = require("node:fs");

/** Name of the environment variable whose value is unique to one start of an agent. */
const markName = "AGENTSERVER_PROCESS_MARK";

/** Kills every process with this mark except `spare`. */
function killMarked(mark, spare) {
  // A process may start another while it is looked for.
  for (let pass = 0; pass < 3; pass++) {
    const found = marked(mark).filter((pid) => pid !== spare);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

function marked(mark) {
  let names;
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  const entry = Buffer.from(`${markName}=${mark}\0`);
  return names
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`).includes(entry);
      } catch {
        return false;
      }
    })
    .map(Number);
}

module.exports = { killMarked, markName };
