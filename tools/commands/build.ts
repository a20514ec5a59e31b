import { ensureBuilt } from "../build/ensure-built";
import { runCommand } from "../command";

void runCommand(({ signal, progress }) => ensureBuilt({ signal, progress }));
