import { mkdir } from "node:fs/promises";
import type { Clock } from "../../clock";
import type { RolloutJob, RunningAgent, InternalApiAddress } from "../rollout";
import { type AgentProcess, startAgentProcess } from "./agent-process";
import { type Build, schemasFile, stateFolder } from "./build";
import { deadline, spellDuration } from "./deadline";
import { agentEnvironment } from "./environment";
import { checksFor, healthGate } from "./health";
import type { RolloutJournal } from "./journal";
import { runtimeOf } from "../runtimes";
import { join } from "node:path";
import { shortText } from "../../bounded-bytes";
import { internalApiHeaders } from "../internal-api-headers";

/** Maximum number of concurrently active runs of one agent server. */
const workers = 10;

export interface DeployOptions {
  clock: Clock;
  healthTimeoutMs: number;
  stopGraceMs: number;
}

/** Starts the agent server of a build and waits until it responds. Rejects with an `Error` that states the reason. */
export async function deploy(
  built: Build,
  job: RolloutJob,
  journal: RolloutJournal,
  options: DeployOptions,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const state = stateFolder(job);
  await mkdir(state, { recursive: true });
  signal.throwIfAborted();
  const errors: string[] = [];
  const { project, configuration } = built;
  const runtime = runtimeOf(project.language);
  const { environment, ...command } = runtime.agentCommand({
    ...project,
    configuration,
    stateFolder: state,
    schemasFile: schemasFile(job),
    workers,
  });
  const agent = startAgentProcess({
    ...command,
    environment: { ...agentEnvironment(configuration.env, job.secrets), ...environment },
    folder: project.folder,
    graphs: configuration.graphs,
    owner: project.owner,
    stopGraceMs: options.stopGraceMs,
    line(line, from) {
      const entry = runtime.logEntry(line, from);
      if (entry === undefined) return;
      if (entry.level === "ERROR") errors.push(entry.message);
      journal.log("deploy", entry.level, entry.message);
    },
  });
  journal.log("deploy", "INFO", `Started the agent server as process ${agent.pid}.`);
  try {
    const { origin, internalApi } = await serving(agent, built, options, signal, () => errors.at(-1));
    journal.log("deploy", "INFO", `The agent server is listening on ${origin}.`);
    void agent.exited.then((why) => journal.log("deploy", "INFO", why));
    return {
      origin,
      internalApi,
      exited: agent.exited,
      takeOver: () => takeOverData(internalApi, job, journal),
      stop: () => agent.stop(),
    };
  } catch (error) {
    await agent.kill();
    throw error;
  }
}

/** Waits for the health gate, the exit of the process, the deadline, or the caller's signal, whichever comes first. */
async function serving(
  agent: AgentProcess,
  built: Build,
  options: DeployOptions,
  signal: AbortSignal,
  lastError: () => string | undefined,
): Promise<Awaited<AgentProcess["listening"]>> {
  const limit = deadline(options.clock, options.healthTimeoutMs, signal);
  const over = new AbortController();
  const until = AbortSignal.any([limit.signal, over.signal]);
  const stopped = new Promise<never>((_, reject) => {
    until.addEventListener("abort", () => reject(until.reason as Error), { once: true });
    if (until.aborted) reject(until.reason as Error);
  });
  stopped.catch(() => undefined);
  let waitingFor = () => `it was still ${agent.activity()}`;
  try {
    const listening = await Promise.race([agent.listening, stopped]);
    const gate = healthGate(listening, checksFor(built.configuration));
    waitingFor = gate.obstacle;
    const died = agent.exited.then((why) => Promise.reject(new Error(`${why} It never became healthy.`)));
    died.catch(() => undefined);
    await Promise.race([gate.passed(until), died]);
    return listening;
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.expired()) throw error;
    const last = lastError();
    throw new Error(
      `The agent server did not become healthy within ${spellDuration(options.healthTimeoutMs)}: ${waitingFor()}.` +
        (last ? ` Its last error: ${last.split("\n").slice(0, 3).join(" ")}` : ""),
      { cause: error },
    );
  } finally {
    limit.cancel();
    over.abort();
  }
}

/**
 * Returns the folder where the agent server of a deployment stores the threads, runs, assistants, and store items of
 * all revisions.
 */
function runtimeFolder(job: RolloutJob): string {
  return join(job.dataFolder, "runtime");
}

/**
 * Transfers the data of the deployment to a started agent server. The health checks run without data, so a failed
 * rollout does not change any data, and the previous agent can continue to write until the transfer.
 */
async function takeOverData(
  internalApi: InternalApiAddress,
  job: RolloutJob,
  journal: RolloutJournal,
): Promise<void> {
  const folder = runtimeFolder(job);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const answer = await fetch(`${internalApi.origin}/take-over`, {
    method: "POST",
    headers: internalApiHeaders(internalApi),
    body: JSON.stringify({ folder }),
  });
  const taken = JSON.parse(await shortText(answer.body)) as {
    detail?: string;
    cut_runs: number;
    resumed_runs?: number;
  };
  const { detail, cut_runs: cut, resumed_runs: resumed = 0 } = taken;
  if (!answer.ok) throw new Error(`The agent server cannot load the deployment's data: ${detail}.`);
  if (resumed > 0) journal.log("deploy", "WARNING", `Interrupted runs that were restarted: ${resumed}.`);
  if (cut > 0)
    journal.log("deploy", "WARNING", `Runs that failed because the agent stopped before they ended: ${cut}.`);
}
