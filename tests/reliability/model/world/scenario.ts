import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock, type SteeringPlan } from "../../../../emulator/index";
import type { ServerLimits } from "../../../provider/server-limits";
import { Stack } from "../../../provider/stack";
import { World } from "../../../provider/world";
import type { Kept } from "../record/kept";
import type { Maker } from "../record/ledger";
import { changed, firstProgram, fitting, type Program } from "../sequence/program";
import type { Cast, Sequence } from "../sequence/sequence";
import { limitsOf, type Server } from "../sequence/server";
import type { Step } from "../sequence/steps";
import { SimulatedAgents } from "./agents";
import { ProviderProcess, type Fault } from "./provider-process";

/** A resource of a stack. */
export interface Resource {
  name: Maker;
  stack: Stack;
  program: Program;
  kept: Kept | undefined;
}

/** A control plane, and stacks that have deployments on it. */
export class Scenario {
  /** The resources of each stack. */
  readonly stacks: Resource[][];
  /** Revisions that the control plane has pruned permanently. */
  private readonly pruned = new Set<string>();
  readonly limits: ServerLimits;

  private constructor(
    readonly world: World,
    private readonly server: Server,
    private readonly agents: SimulatedAgents | undefined,
    private readonly state: string | undefined,
    { cast = "alone", starts, alsoStarts = {} }: Sequence,
  ) {
    this.limits = { ...limitsOf(server), pruned: this.pruned };
    const programs = [starts, alsoStarts].map((start) => fitting(changed(firstProgram, start), server));
    this.stacks = identities[cast].map((stack) =>
      stack.map(({ name, urn, backend }) => this.resource(name, urn, backend, programs)),
    );
  }

  static async start(sequence: Sequence): Promise<Scenario> {
    const { server, steps } = sequence;
    const { dialect, lingerSeconds } = server;
    const clock = new VirtualClock();
    const agents = verifies(sequence) ? new SimulatedAgents(clock, dialect === "langsmith") : undefined;
    const state = steps.some(endsThePlane) ? mkdtempSync(join(tmpdir(), "agentserver-model-")) : undefined;
    const world = await World.start({ dialect, lingerSeconds, clock, state, runner: agents });
    return new Scenario(world, server, agents, state, sequence);
  }

  /** Behavior of the agents, keyed by revision. */
  get answers() {
    return this.agents?.answers ?? new Map<string, never>();
  }

  /** Sets the behavior of agents that start to serve from now on. */
  answerFromNow(answers: SimulatedAgents["now"] = "well"): void {
    if (this.agents) this.agents.now = answers;
  }

  /** Sets the results of rollouts. */
  steer(plan: SteeringPlan): void {
    if (this.agents) this.agents.steer(plan);
    else this.world.admin.steer(plan);
  }

  prune(revision: string): void {
    this.pruned.add(revision);
  }

  /** Returns a provider in a new process, for the resources of a stack. */
  begin(resources: Pick<Resource, "stack">[], fault?: Fault): ProviderProcess {
    const { dialect, detects } = this.server;
    const env = { ...this.world.environment, ...(!detects && { AGENTSERVER_DIALECT: dialect }) };
    const process = new ProviderProcess(this.world, { env, limits: this.limits, fault });
    for (const { stack } of resources) stack.host = process.provider;
    return process;
  }

  async end(): Promise<void> {
    await this.world.end();
    if (this.state) rmSync(this.state, { recursive: true, force: true });
  }

  private resource(name: Maker, urn: string, backend: string, programs: Program[]): Resource {
    const stack = new Stack(this.world, this.world.host(), urn);
    // The sequences concern one deployment at a time; the order of creation has separate tests.
    stack.deletesFirst = true;
    stack.call = { organization: "organization", backend };
    return { name, stack, program: programs[name === "first" ? 0 : 1]!, kept: undefined };
  }
}

interface Identity {
  name: Maker;
  urn: string;
  backend: string;
}

const urnOf = (stack: string, resource: string) =>
  `urn:pulumi:${stack}::shop::pulumi-nodejs:dynamic/agentserver:Deployment::${resource}`;

const first: Identity = { name: "first", urn: urnOf("dev", "agent"), backend: "one" };

const identities: Record<Cast, Identity[][]> = {
  alone: [[first]],
  pair: [[first, { ...first, name: "second", urn: urnOf("dev", "other-agent") }]],
  "two backends": [[first], [{ ...first, name: "second", backend: "two" }]],
  "two stacks": [[first], [{ ...first, name: "second", urn: urnOf("prod", "agent") }]],
};

function endsThePlane(step: Step): boolean {
  return step.do === "restart" || ("fault" in step && step.fault?.kind === "outage");
}

function verifies({ starts, alsoStarts, steps }: Sequence): boolean {
  const changes = steps.flatMap((step) => (step.do === "up" ? [step.change, step.also] : []));
  return [starts, alsoStarts, ...changes].some((program) => program?.verify != null);
}
