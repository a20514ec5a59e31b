// Loaded into every program before anything else.
import { deferArborist } from "../lazy-arborist";

interface Handle {
  setBlocking?: (isBlocking: boolean) => void;
}

// Writes to a pipe beyond its buffer are otherwise lost when the program calls process.exit(), because node does them
// later. Blocking writes are finished before the call returns.
for (const stream of [process.stdout, process.stderr])
  (stream as { _handle?: Handle })._handle?.setBlocking?.(true);

// The host stops its programs when it exits, but it cannot when it is killed, which may be before this line. Processes
// that the program forks load this file too; the variable is for the program alone.
const host = Number(process.env.AGENTSERVER_LANGUAGE_HOST);
delete process.env.AGENTSERVER_LANGUAGE_HOST;
if (host) {
  const endWithHost = () => process.ppid !== host && process.kill(-process.pid, "SIGKILL");
  endWithHost();
  setInterval(endWithHost, 1_000).unref();
}

deferArborist();
