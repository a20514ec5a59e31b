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

/** How an agent answers whoever verifies it. */
export type Answers = "well" | "without the graph" | "wrongly" | "slowly";

const scripts: Record<Answers, Partial<AgentScript>> = {
  well: { run: ["success"] },
  "without the graph": { graphs: [] },
  wrongly: { run: ["success"], values: { messages: [{ type: "ai", content: "what?" }] } },
  // Longer than a short timeout has.
  slowly: { run: [...Array<string>(10).fill("running"), "success"] },
};

/** Rollouts whose statuses are simulated, and whose agents answer as a script says. */
export class SimulatedAgents implements RolloutRunner {
  /** How agents answer that begin to serve now. */
  now: Answers = "well";
  /** How the agents of all revisions answer that ever served. */
  readonly answers = new Map<string, Answers>();
  private readonly steering = new Steering({ secondsPerStatus: 1 });
  private readonly rollouts: SimulatedRunner;

  constructor(clock: Clock, resolvesRefs: boolean) {
    this.rollouts = new SimulatedRunner(clock, this.steering, { resolvesRefs });
  }

  steer(plan: SteeringPlan): void {
    this.steering.steer(plan);
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
