import { Steering } from "../../../../emulator/admin/steering/steering";
import type {
  Clock,
  RolloutJob,
  RolloutReport,
  RolloutRunner,
  RunningAgent,
  SteeringPlan,
} from "../../../../emulator/index";
import { SimulatedRunner } from "../../../../emulator/rollout/simulated";
import { agentScript, ScriptedAgent, type AgentScript } from "../../../provider/scripted-agent";

/** Response of an agent to a verification. */
export type Answers = "well" | "without the graph" | "wrongly" | "slowly";

const scripts: Record<Answers, Partial<AgentScript>> = {
  well: { run: ["success"] },
  "without the graph": { graphs: [] },
  wrongly: { run: ["success"], values: { messages: [{ type: "ai", content: "what?" }] } },
  // This takes longer than a short timeout.
  slowly: { run: [...Array<string>(10).fill("running"), "success"] },
};

/** Simulates the statuses of rollouts, and scripts the responses of their agents. */
export class SimulatedAgents implements RolloutRunner {
  /** Behavior of agents that start to serve from now on. */
  now: Answers = "well";
  /** Behavior of the agents of all revisions that have ever served requests. */
  readonly answers = new Map<string, Answers>();
  private readonly steering = new Steering({ secondsPerStatus: 1 });
  private readonly rollouts: SimulatedRunner;

  constructor(clock: Clock, resolvesRefs: boolean) {
    this.rollouts = new SimulatedRunner(clock, this.steering, { resolvesRefs });
  }

  steer(plan: SteeringPlan): void {
    this.steering.steer(plan);
  }

  /** Discards all plans for rollouts. */
  clearSteering(): void {
    this.steering.reset();
  }

  async roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined> {
    await this.rollouts.roll(job, report, signal);
    if (signal.aborted) return undefined;
    this.answers.set(job.revisionId, this.now);
    return this.restart(job);
  }

  restart({ revisionId }: RolloutJob): Promise<RunningAgent> {
    const answers = this.answers.get(revisionId) ?? "well";
    return new ScriptedAgent(agentScript(structuredClone(scripts[answers]))).start();
  }
}
