import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canaries, canariesIn } from "../../e2e/canaries";
import type { EngineRun } from "../../e2e/engine-run";
import { declaring } from "../../e2e/programs";
import { processesOf } from "../../e2e/processes";
import type { Stack } from "../../e2e/stack";
import type { World } from "../../e2e/world";
import { until } from "../../e2e/waiting";
import { Gate, type Place, type GateFault } from "./gate";
import { PlaneProcess } from "./plane-process";

/** Action that the engine performs on the deployment. */
export type ScenarioAction = "create" | "update" | "rotate" | "replace" | "delete";

/** Deployments that currently exist on the control plane and in the state. */
export interface FoundState {
  /** Names of the deployments on the control plane. */
  names: string[];
  /** IDs on the control plane that are not in the state. */
  unknownToState: string[];
  /** Statuses of all revisions of all deployments. */
  revisions: string[];
  /** Number of deployments that have the resource's ownership tag. */
  marked: number;
  /** Number of pending operations in the state of the engine. */
  pending: number;
}

interface DeploymentRow {
  id: string;
  name: string;
  secrets?: { name: string }[];
}

export interface ScenarioOptions {
  dialect?: "interface" | "langsmith";
  /** Timeout of the provider. The control plane cannot be down for longer than this. */
  timeout?: string;
  /** Source of the deployment. @default "repository" */
  source?: "repository" | "folder";
}

/** A stack with one deployment, and a separate control plane behind a gate. */
export class Scenario {
  private declared = { name: "agent-1", repoRef: "v1", buildOnPush: false, greeting: canaries.greeting };
  private changes = 0;

  private constructor(
    readonly stack: Stack,
    readonly plane: PlaneProcess,
    readonly gate: Gate,
    private readonly folder: string,
    private readonly timeout: string,
    private readonly source: ScenarioOptions["source"],
  ) {}

  static async open(
    world: World,
    name: string,
    { dialect = "interface", timeout = "1m", source = "repository" }: ScenarioOptions = {},
  ): Promise<Scenario> {
    const plane = new PlaneProcess(join(world.folder, `${name}-plane`), dialect);
    await plane.start();
    const gate = await Gate.open(() => plane.baseUrl);
    const stack = await world.stack(name);
    stack.environment("AGENTSERVER_BASE_URL", gate.address);
    return new Scenario(stack, plane, gate, join(world.folder, name), timeout, source);
  }

  async close(): Promise<void> {
    await this.gate.refuseConnections();
    await this.plane.kill();
    expect(canariesIn(this.plane.output)).toEqual([]);
  }

  /** Starts the engine for an action, with this fault. */
  start(action: ScenarioAction, fault?: GateFault): EngineRun {
    this.ask(action);
    return this.startAgain(action, fault);
  }

  /** Starts the engine again for the current action. */
  startAgain(action: ScenarioAction, fault?: GateFault, ...words: string[]): EngineRun {
    this.gate.watch(fault);
    return this.stack.start(action === "delete" ? "destroy" : "up", "--yes", "--skip-preview", ...words);
  }

  /** Runs an action without faults, and returns its requests in order. */
  async runAction(action: ScenarioAction): Promise<Place[]> {
    const run = this.start(action);
    await run.ended;
    if (run.code !== 0) throw new Error(`${action} fails although nothing disturbs it:\n${run.output}`);
    return this.gate.seen;
  }

  /** Sets the pace of rollouts: they complete immediately, do not progress, or progress after this number of reads. */
  steer(pace: "at once" | "step by step" | { afterReads: number }): Promise<void> {
    return this.plane.post("/admin/steering", { pace });
  }

  /** Kills the provider process and waits until it has exited. */
  async killProvider(): Promise<void> {
    const providers = () =>
      processesOf(this.folder).filter(({ command }) => /^\S*node .*cmd\/dynamic-provider/.test(command));
    for (const { pid } of providers()) process.kill(pid, "SIGKILL");
    await until(() => providers().length === 0);
  }

  /** Kills the control plane. Its address refuses connections afterward. */
  async killPlane(): Promise<void> {
    await this.plane.kill();
    await this.gate.refuseConnections();
  }

  async restartPlane(): Promise<void> {
    await this.plane.start();
    await this.steer("at once");
    await this.gate.open();
  }

  async found(): Promise<FoundState> {
    const { resources } = await this.plane.get<{ resources: DeploymentRow[] }>("/v2/deployments");
    const state = await this.stack.state();
    const known = state.resources.flatMap(({ id }) => id ?? []);
    const revisions = await Promise.all(
      resources.map(({ id }) =>
        this.plane.get<{ resources: { status: string }[] }>(`/v2/deployments/${id}/revisions`),
      ),
    );
    return {
      names: resources.map(({ name }) => name),
      unknownToState: resources.map(({ id }) => id).filter((id) => !known.includes(id)),
      revisions: revisions.flatMap((list) => list.resources.map(({ status }) => status)),
      marked: resources.filter(({ secrets }) => secrets?.some(({ name }) => name === "AGENTSERVER_OWNER"))
        .length,
      pending: state.pendingOperations.length,
    };
  }

  /** Returns the messages in the status column of the deployment's row. */
  statusColumn(run: EngineRun): string[] {
    return run.diagnostics
      .filter(({ urn, ephemeral }) => urn === this.stack.urn("agent") && ephemeral)
      .map(({ message }) => message.trim());
  }

  /** Returns all user-visible output of a run, without the state. */
  async shown(run: EngineRun): Promise<string[]> {
    const { entries } = await this.plane.get<{ entries: object[] }>("/admin/journal");
    return [run.output, ...[...run.events, ...entries].map((entry) => JSON.stringify(entry))];
  }

  get wantedName(): string {
    return this.declared.name;
  }

  private ask(action: ScenarioAction): void {
    const change = ++this.changes;
    const { greeting: before } = this.declared;
    if (action === "update")
      this.declared = { ...this.declared, repoRef: `v${change}`, buildOnPush: !this.declared.buildOnPush };
    if (action === "update" || action === "rotate")
      this.declared.greeting = before === canaries.greeting ? canaries.rotatedGreeting : canaries.greeting;
    if (action === "replace") this.declared.name = `agent-${change}`;
    const { name, greeting } = this.declared;
    const secrets = { GREETING: greeting };
    const rollout = { timeout: this.timeout };
    const source = this.source === "folder" ? this.changedFolder() : this.changedRepository();
    this.stack.program(declaring({ name, ...source, secrets, rollout }));
  }

  private changedRepository() {
    const { repoRef, buildOnPush } = this.declared;
    return {
      sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev", buildOnPush },
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
    };
  }

  private changedFolder() {
    const agent = join(this.folder, "agent");
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "langgraph.json"), '{"graphs": {"agent": "./graph.mjs:graph"}}');
    writeFileSync(join(agent, "graph.mjs"), `export const graph = "${this.declared.repoRef}";\n`);
    return {
      source: "internal_source",
      sourceConfig: { deploymentType: "serverless" },
      sourceRevisionConfig: { folder: "./agent" },
    };
  }
}
