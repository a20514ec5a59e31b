import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../storage/own-files";
import { DeploymentTimers } from "./deployment-timers";
import type { TimerDeps } from "./deps";

const timersFile = "gateway.sqlite";

export interface TimerRegistryDeps extends Pick<TimerDeps, "clock" | "reportError"> {
  /** Returns the data folder of a deployment. */
  dataFolder: (deploymentId: string) => string;
  agent: (deploymentId: string) => ReturnType<TimerDeps["agent"]>;
}

/** Timers of all deployments, which are opened when they are first needed. */
export class TimerRegistry {
  readonly #open = new Map<string, DeploymentTimers>();
  #closed = false;

  constructor(private readonly deps: TimerRegistryDeps) {}

  of(deploymentId: string): DeploymentTimers {
    const found = this.#open.get(deploymentId);
    if (found) return found;
    if (this.#closed) throw new Error("The control plane is shutting down.");
    const { dataFolder, agent, clock, reportError } = this.deps;
    const folder = dataFolder(deploymentId);
    makeOwnFolder(folder);
    const timers = new DeploymentTimers(join(folder, timersFile), {
      clock,
      reportError,
      agent: () => agent(deploymentId),
    });
    this.#open.set(deploymentId, timers);
    return timers;
  }

  /**
   * Opens the existing timers of these deployments, so that due work starts. A failure to open the timers of one
   * deployment does not affect the others.
   */
  resume(deploymentIds: string[]): void {
    for (const id of deploymentIds)
      try {
        if (existsSync(join(this.deps.dataFolder(id), timersFile))) this.of(id);
      } catch (error) {
        this.deps.reportError(error);
      }
  }

  forget(deploymentId: string): void {
    this.#open.get(deploymentId)?.close();
    this.#open.delete(deploymentId);
  }

  close(): void {
    this.#closed = true;
    for (const deploymentId of [...this.#open.keys()]) this.forget(deploymentId);
  }
}
