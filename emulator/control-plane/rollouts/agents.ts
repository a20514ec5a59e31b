import type { Clock } from "../../clock";
import type {
  InternalApiAddress,
  RolloutJob,
  RolloutReport,
  RolloutRunner,
  RunningAgent,
} from "../../rollout/rollout";

/** State of a deployment's agent. If `soon` is true, the agent is about to serve requests. */
export type AgentState =
  | { kind: "serving"; origin: string; internalApi?: InternalApiAddress }
  | { kind: "down"; detail: string; soon: boolean };

/** Delays before a crashed agent is restarted, in milliseconds. The last delay repeats. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** Uptime after which earlier crashes of an agent are ignored, in milliseconds. */
const healthyMs = 60_000;

interface Post {
  job: RolloutJob;
  report: RolloutReport;
  agent: RunningAgent | undefined;
  detail: string;
  /** True if the agent is about to serve requests. */
  soon: boolean;
  crashes: number;
  since: number;
  /** Controller that aborts when the agent must stop. */
  stopRequest: AbortController;
  work: Promise<void>;
}

/** Running agents, one per deployment. An agent that exits unexpectedly is restarted. */
export class Agents {
  readonly #posts = new Map<string, Post>();

  constructor(
    private readonly runner: RolloutRunner,
    private readonly clock: Clock,
  ) {}

  state(deploymentId: string): AgentState {
    const post = this.#posts.get(deploymentId);
    if (!post) return { kind: "down", detail: "No revision of this deployment is serving yet.", soon: false };
    const { agent, detail, soon } = post;
    if (!agent) return { kind: "down", detail, soon };
    const { origin, internalApi } = agent;
    return { kind: "serving", origin, ...(internalApi ? { internalApi } : {}) };
  }

  /** Stops the previous agent, and replaces it with the agent that was rolled out. */
  async replace(job: RolloutJob, report: RolloutReport, agent: RunningAgent | undefined): Promise<void> {
    const before = this.#posts.get(job.deploymentId);
    const post = this.#post(job, report);
    if (!agent) post.detail = "This deployment is simulated, so it has no running agent.";
    else if (agent.takeOver) return (post.work = this.#succeed(post, agent, before));
    else this.#install(post, agent);
    if (before) await stopAgent(before);
  }

  /**
   * Transfers the data of the previous agent to the new one. The previous agent must have exited first, so that its
   * data is complete.
   */
  async #succeed(post: Post, agent: RunningAgent, before: Post | undefined): Promise<void> {
    post.detail = "The agent of a new revision is starting to serve.";
    post.soon = true;
    try {
      if (before) await stopAgent(before);
      await agent.takeOver?.();
      if (post.stopRequest.signal.aborted) await agent.stop();
      else this.#install(post, agent);
    } catch (error) {
      await agent.stop();
      if (!post.stopRequest.signal.aborted) this.#startLater(post, (error as Error).message);
    } finally {
      post.soon = false;
    }
  }

  /** Restarts the agent of a revision that has been rolled out. */
  revive(job: RolloutJob, report: RolloutReport): void {
    const post = this.#post(job, report);
    post.detail = "The agent is being restarted.";
    post.work = this.#start(post);
  }

  async stop(deploymentId: string): Promise<void> {
    const post = this.#posts.get(deploymentId);
    this.#posts.delete(deploymentId);
    if (post) await stopAgent(post);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#posts.keys()].map((deploymentId) => this.stop(deploymentId)));
  }

  #post(job: RolloutJob, report: RolloutReport): Post {
    const post: Post = {
      job,
      report,
      agent: undefined,
      detail: "",
      soon: false,
      crashes: 0,
      since: this.clock.now(),
      stopRequest: new AbortController(),
      work: Promise.resolve(),
    };
    this.#posts.set(job.deploymentId, post);
    return post;
  }

  #install(post: Post, agent: RunningAgent): void {
    post.agent = agent;
    post.since = this.clock.now();
    void agent.exited.then((reason) => {
      if (post.stopRequest.signal.aborted) return;
      post.agent = undefined;
      if (this.clock.now() - post.since >= healthyMs) post.crashes = 0;
      this.#startLater(post, `The agent exited unexpectedly: ${reason}`);
    });
  }

  #startLater(post: Post, reason: string): void {
    const pauseMs = pausesMs[Math.min(post.crashes, pausesMs.length - 1)]!;
    post.crashes += 1;
    post.detail = `${reason} It is being restarted.`;
    post.report.log("deploy", "ERROR", `${reason} It will be restarted in ${pauseMs / 1000} s.`);
    const takeBack = this.clock.after(pauseMs, () => void (post.work = this.#start(post)));
    post.stopRequest.signal.addEventListener("abort", takeBack, { once: true });
  }

  async #start(post: Post): Promise<void> {
    const { signal } = post.stopRequest;
    try {
      signal.throwIfAborted();
      const agent = await this.runner.restart(post.job, post.report, signal);
      await agent?.takeOver?.().catch(async (error: unknown) => {
        await agent.stop();
        throw error;
      });
      if (!agent) post.detail = "This deployment is simulated, so it has no running agent.";
      else if (signal.aborted) await agent.stop();
      else {
        this.#install(post, agent);
        post.report.log("deploy", "INFO", "The agent is serving again.");
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#startLater(
        post,
        `The agent could not be started: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

async function stopAgent(post: Post): Promise<void> {
  post.stopRequest.abort(new Error("The agent is no longer needed."));
  const { agent } = post;
  post.agent = undefined;
  post.detail = "The agent is being stopped.";
  await Promise.allSettled([post.work, agent?.stop()]);
}
