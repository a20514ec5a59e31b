import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startSupervised } from "../../../process/supervised-command";
import type { RolloutJob, RunningAgent } from "../../rollout";
import { deadline, spellDuration } from "../../build/deadline";
import type { DeployOptions } from "../../build/deploy";
import { healthGate, okCheck } from "../../build/health";
import type { RolloutJournal } from "../../build/journal";
import { agentLogEntry } from "../python/agent-log";
import { ask, type EngineCall } from "./engine";
import { containerEnvironment, given, portIn } from "./environment";
import { engineCall, type PulledImage } from "./image";

/** Label for finding the containers of a deployment. */
const ownerLabel = "agentserver.owner";

const pollIntervalMs = 100;
const orphanGraceMs = 5000;

/** Starts a container from the image and waits until it is healthy. Rejects with an `Error` that states the reason. */
export async function startContainer(
  { engine, image }: PulledImage,
  job: RolloutJob,
  journal: RolloutJournal,
  options: DeployOptions,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const call = await engineCall(job, signal);
  const name = `agentserver-${job.revisionId}`;
  await removeOwn(engine.command, { name }, call);
  const { lines, passed } = given(job.secrets);
  const file = join(job.revisionFolder, "container.env");
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  const port = portIn(job.secrets);
  const args = [
    ...["run", "--rm", "--name", name, "--label", `${ownerLabel}=${call.owner}`],
    ...["--publish", `127.0.0.1::${port}`, "--add-host", "host.docker.internal:host-gateway"],
    ...["--env-file", file, ...Object.keys(passed).flatMap((variable) => ["--env", variable])],
    ...limitOptions(job.sourceConfig.resource_spec),
    image,
  ];
  let last: string | undefined;
  const client = startSupervised({
    command: engine.command,
    args,
    folder: call.folder,
    environment: { ...passed, ...containerEnvironment() },
    owner: call.owner,
    graceMs: orphanGraceMs,
    line(line, from) {
      const entry = agentLogEntry(line, from);
      if (entry === undefined) return;
      last = entry.message;
      journal.log("deploy", entry.level, entry.message);
    },
  });
  journal.log("deploy", "INFO", `Started ${image} as container ${name}.`);
  let asked = false;
  const exited = client.ended.then(async ({ code, signal: by }) => {
    await rm(file, { force: true });
    return asked
      ? "The container was stopped."
      : `The container ${by ? `was terminated by ${by}` : `exited with code ${code}`}.`;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    asked = true;
    // The container must be removed even if the caller has aborted.
    const until = { ...call, signal: new AbortController().signal };
    const seconds = String(Math.ceil(options.stopGraceMs / 1000));
    await ask(engine.command, ["stop", "--time", seconds, name], until);
    await removeOwn(engine.command, { name }, until);
    client.kill();
    await exited;
  };
  const agent = { exited, stop: () => (stopping ??= stop()) };
  try {
    const origin = await healthy(exited, engine.command, name, port, call, options);
    await rm(file, { force: true });
    journal.log("deploy", "INFO", `The agent server is listening on ${origin}.`);
    void exited.then((why) => journal.log("deploy", "INFO", why));
    return { origin, ...agent };
  } catch (error) {
    await agent.stop();
    signal.throwIfAborted();
    const { message } = error as Error;
    throw new Error(last ? `${message} Last line of its log: ${last.split("\n")[0]}` : message, {
      cause: error,
    });
  }
}

/** Waits until the container's port is published and the container is healthy. Resolves with its address. */
async function healthy(
  exited: Promise<string>,
  command: string,
  name: string,
  port: number,
  call: EngineCall,
  { clock, healthTimeoutMs }: DeployOptions,
): Promise<string> {
  const limit = deadline(clock, healthTimeoutMs, call.signal);
  const over = new AbortController();
  const until = AbortSignal.any([limit.signal, over.signal]);
  let obstacle = () => `port ${port} of the container is not published yet`;
  const waiting = async (): Promise<string> => {
    for (;;) {
      until.throwIfAborted();
      const { code, lines } = await ask(command, ["port", name, `${port}/tcp`], { ...call, signal: until });
      const published = /:(\d+)$/.exec(lines.at(0)?.trim() ?? "")?.[1];
      if (code === 0 && published) {
        const origin = `http://127.0.0.1:${published}`;
        const gate = healthGate({ origin }, [okCheck]);
        obstacle = gate.obstacle;
        await gate.passed(until);
        return origin;
      }
      await sleep(pollIntervalMs, undefined, { signal: until });
    }
  };
  const died = exited.then((why) => Promise.reject(new Error(`${why} It never became healthy.`)));
  died.catch(() => undefined);
  try {
    return await Promise.race([waiting(), died]);
  } catch (error) {
    if (!limit.expired()) throw error;
    throw new Error(
      `The container did not become healthy within ${spellDuration(healthTimeoutMs)}: ${obstacle()}.`,
      { cause: error },
    );
  } finally {
    limit.cancel();
    over.abort();
  }
}

/** Removes a container in any state, including a container of a control plane that was killed. */
async function removeOwn(command: string, { name }: { name: string }, call: EngineCall): Promise<void> {
  await ask(command, ["rm", "--force", name], call);
}

/** Converts the limits in `resource_spec` to options for the engine's `run` command. */
function limitOptions(spec: Record<string, unknown> | null | undefined): string[] {
  const cpus = numberOf(spec?.["cpu_limit"]) ?? numberOf(spec?.["cpu"]);
  const memory = numberOf(spec?.["memory_limit_mb"]) ?? numberOf(spec?.["memory_mb"]);
  return [
    ...(cpus === undefined ? [] : ["--cpus", String(cpus)]),
    // Without a separate limit, swap doubles the container's memory.
    ...(memory === undefined ? [] : ["--memory", `${memory}m`, "--memory-swap", `${memory}m`]),
  ];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
