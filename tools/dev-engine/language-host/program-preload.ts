// Loaded into every program before anything else.
import { deferArborist } from "../lazy-arborist";

interface Handle {
  setBlocking?: (isBlocking: boolean) => void;
}

// By default, Node.js writes data that exceeds the buffer of a pipe later, so the data would be lost when the program
// calls process.exit(). Blocking writes finish before the call returns.
for (const stream of [process.stdout, process.stderr])
  (stream as { _handle?: Handle })._handle?.setBlocking?.(true);

// The host stops its programs when it exits, but not if it is killed, which may happen before this line runs. Processes
// that the program forks also load this file, so the variable is removed from their environment.
const host = Number(process.env.AGENTSERVER_LANGUAGE_HOST);
delete process.env.AGENTSERVER_LANGUAGE_HOST;
if (host) {
  const endWithHost = () => process.ppid !== host && process.kill(-process.pid, "SIGKILL");
  endWithHost();
  setInterval(endWithHost, 1_000).unref();
}

deferArborist();
