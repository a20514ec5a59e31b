import { onPath } from "../../../process/on-path";
import { notStarted, runSupervised } from "../../../process/supervised-command";
import { containerEnvironment } from "./environment";

/** A container engine that is running. */
export interface Engine {
  /** Absolute path of the engine's command. */
  command: string;
  /** Name and version for display, such as `docker 28.2.2`. */
  name: string;
}

/** Context for running the commands of an engine. */
export interface EngineCall {
  folder: string;
  owner: string;
  signal: AbortSignal;
  line?: (line: string) => void;
}

/** Time in milliseconds within which an engine must respond. */
const answerWithinMs = 15_000;

const questions = {
  docker: ["version", "--format", "{{.Server.Version}}"],
  podman: ["version", "--format", "{{.Client.Version}}"],
};

/**
 * Returns the first engine that responds, trying docker before podman. Throws an `Error` with the result for each
 * engine.
 */
export async function findEngine(image: string, call: EngineCall): Promise<Engine> {
  const obstacles: string[] = [];
  for (const [program, question] of Object.entries(questions)) {
    const command = onPath(program).at(0);
    if (command === undefined) {
      obstacles.push(`${program} is not on PATH`);
      continue;
    }
    const limit = AbortSignal.timeout(answerWithinMs);
    const signal = AbortSignal.any([call.signal, limit]);
    const asked = ask(command, question, { ...call, signal }).catch((error: unknown) => {
      if (!limit.aborted || call.signal.aborted) throw error;
      return { code: 1, lines: [`no response within ${answerWithinMs / 1000} s`] };
    });
    const { code, lines } = await asked;
    const said = lines.at(-1)?.trim();
    if (code === 0 && said) return { command, name: `${program} ${said}` };
    obstacles.push(`${program} does not respond (${said ?? `exit code ${code}`})`);
  }
  throw new Error(
    `The image ${image} cannot be run on this machine: ${obstacles.join("; ")}. ` +
      "Start a container engine, or deploy from a repository or a folder.",
  );
}

/** Runs a command of an engine. */
export async function ask(
  command: string,
  args: readonly string[],
  { line, ...call }: EngineCall,
): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runSupervised({
    command,
    args,
    environment: containerEnvironment(),
    ...call,
    line(text) {
      if (text.trim() === "") return;
      lines.push(text);
      line?.(text);
    },
  });
  return { code: code === notStarted && lines.length === 0 ? 1 : code, lines };
}
