import type { FunctionArgs, FunctionName } from "../../../provider/lookup/functions";
import { lookUpsWith } from "../../../provider/lookup/lookup";
import { runFunction } from "../../../provider/lookup/run-function";
import type { GateInputs } from "../../../provider/promotion/gate";
import type { DeploymentRecord, RevisionRecord } from "../../../wire";
import { Stack } from "../../provider/stack";
import type { World } from "../../provider/world";
import type { SimulatedAgents } from "../model/world/agents";
import { ask } from "../model/world/plane-view";
import { Killed, ProviderProcess } from "../model/world/provider-process";
import {
  type Action,
  commits,
  environments,
  foreignCommit,
  type GateKind,
  type History,
  type PushAction,
  type UpAction,
} from "./history";
import { type GateSettings, type Judged, Oracle, type Seen } from "./oracle";

/** Figures about all histories in a test run. */
export const figures = {
  histories: 0,
  updates: 0,
  promotions: 0,
  "updates that wait": 0,
  "failed rollouts": 0,
  kills: 0,
  "external changes": 0,
  "unverified promotions": 0,
  "gate violations": 0,
  "missing promotions": 0,
};

const window = { from: "09:00", to: "17:00", timeZone: "UTC" };
const soakMinutes = 120;

/** Result of the update of one deployment. */
interface Deployed {
  failure: unknown;
  isKilled: boolean;
  /** True if the rollout may fail because of a simulated failure. */
  mayFail: boolean;
  /** True if the update changed the deployment and succeeded, including its verification. */
  isVerified: boolean;
}

/** Facts that were observed before an update. */
export interface Before extends Pick<Judged, "before" | "startedAt" | "upstream"> {
  action: UpAction;
}

/** A run of a history, which performs the actions of all actors and updates the environments. */
export abstract class Run {
  protected readonly stacks: Stack[];
  protected commit: string = commits[0];
  private readonly oracle: Oracle;
  private readonly approvals: [never: null, staging: string | null, production: string | null] = [
    null,
    null,
    null,
  ];
  /**
   * Environments whose next rollout may fail, because an earlier update was killed before its simulated failure
   * occurred.
   */
  private readonly mayFail = new Set<number>();
  /** Failure of the latest update. */
  private failure: unknown;

  /**
   * @param urnOf returns the URN of the deployment of an environment
   * @param keepsForeign true if an environment keeps what another user has rolled out
   */
  constructor(
    protected readonly world: World,
    private readonly agents: SimulatedAgents,
    protected readonly history: History,
    urnOf: (environment: string) => string,
    keepsForeign: boolean,
  ) {
    this.oracle = new Oracle(figures, keepsForeign);
    this.stacks = environments.map((name) => new Stack(world, world.host(), urnOf(name)));
  }

  /** Runs `pulumi up` for the environments of an action, and checks the results. */
  protected abstract update(action: UpAction): Promise<void>;

  /** @throws Error that describes the violated guarantee */
  async play(): Promise<void> {
    const { start } = this.history;
    if (start !== "empty") await this.promoteToAll();
    if (start === "deployed, approvals removed") this.approvals.fill(null);
    for (const action of this.history.actions) await this.act(action);
    this.agents.clearSteering();
    this.mayFail.clear();
    await this.promoteToAll();
    figures.histories += 1;
  }

  /** Promotes the declared commit through all environments without disturbances. */
  private async promoteToAll(): Promise<void> {
    for (const place of environments.keys()) {
      if (place > 0) {
        this.approvals[place] = this.commit;
        await this.world.clock.advance(soakMinutes * 60_000);
        while (!this.oracle.isInWindow(this.world.clock.now())) await this.world.clock.advance(3_600_000);
      }
      await this.update({ do: "up", who: "all", refreshes: true, missesReference: false });
      const [serving] = await this.observe(place);
      promise(
        serving?.commit === this.commit,
        `${environments[place]} does not serve ${this.commit}, but ${serving?.commit}: ${describeFailure(this.failure)}`,
      );
    }
  }

  private async act(action: Action): Promise<void> {
    switch (action.do) {
      case "up":
        this.commit = commits[action.commit ?? commits.indexOf(this.commit)]!;
        return this.update(action);
      case "approve": {
        const approved = action.commit === null ? null : commitAt(action.commit);
        this.approvals[action.for] = action.isShort ? (approved?.slice(0, 7) ?? null) : approved;
        return;
      }
      case "push":
        return this.push(action);
      case "wait":
        await this.world.clock.advance(action.minutes * 60_000);
    }
  }

  private async push({ to, commit, isFinished }: PushAction): Promise<void> {
    // After an interrupted create, a changed deployment is not adopted without `adopt`.
    const id = this.stacks[to]!.id;
    if (id === undefined) return;
    figures["external changes"] += 1;
    const change = { sourceRevisionConfig: { repo_ref: commitAt(commit) } };
    this.oracle.recordForeign(this.world.admin.pushRevision(id, change));
    if (isFinished) await this.world.clock.advance(60_000);
  }

  /** Refreshes an environment if it exists. */
  protected async refresh(place: number): Promise<void> {
    const stack = this.stacks[place]!;
    if (stack.id === undefined) return;
    this.begin(stack);
    await stack.refresh();
  }

  /** Updates a deployment, with the kill and the failure that apply to it. */
  protected async deploy(
    place: number,
    inputs: object,
    { killAt, fails }: Pick<UpAction, "killAt" | "fails">,
  ): Promise<Deployed> {
    const stack = this.stacks[place]!;
    if (fails === "build")
      this.agents.steer({ deployment: environments[place]!, verdict: "BUILD_FAILED", times: 1 });
    this.agents.now = fails === "verification" ? "without the graph" : "well";
    const process = this.begin(stack, killAt);
    const { failure, step, checkFailures } = await stack.up(inputs).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return { step: "refused" as const, failure: error, checkFailures: [] };
    });
    promise(checkFailures.length === 0, JSON.stringify(checkFailures));
    this.agents.now = "well";
    const isKilled = process.struck;
    const mayFail = this.mayFail.has(place) || fails !== undefined;
    // A killed update may not have started the rollout that fails.
    if (isKilled && fails === "build") this.mayFail.add(place);
    else if (!isKilled) this.mayFail.delete(place);
    if (this.mayFail.size === 0) this.agents.clearSteering();
    figures.kills += Number(isKilled);
    figures["failed rollouts"] += Number(failure !== undefined && !isKilled);
    return { failure, isKilled, mayFail, isVerified: failure === undefined && step !== "same" };
  }

  /**
   * Compares the revisions of an environment with the guarantees.
   * @param source commit that the program declared, if it declared one
   * @param failure failure of the program if the deployment was not updated
   */
  protected async judge(
    place: number,
    { before, startedAt, upstream, action: { refreshes, missesReference } }: Before,
    source: string | undefined,
    { failure, isKilled, mayFail, isVerified }: Deployed = unchanged,
  ): Promise<void> {
    this.failure = failure;
    figures.updates += 1;
    figures["updates that wait"] += Number(source === undefined);
    this.oracle.judge({
      place,
      gate: place === 0 ? undefined : this.gateOf(place),
      before,
      after: await this.observe(place),
      startedAt,
      endedAt: this.world.clock.now(),
      source,
      upstream,
      isVerified,
      isUndisturbed:
        !isKilled &&
        !mayFail &&
        !missesReference &&
        (refreshes || !this.oracle.isForeign(before[0])) &&
        !isRollingOut(before),
      failure,
    });
  }

  private gateOf(place: number): GateSettings {
    const kind = this.history.gates[place - 1]!;
    return {
      approved: hasApproval(kind) ? this.approvals[place] : undefined,
      soakMs: hasSoak(kind) ? soakMinutes * 60_000 : 0,
      hasWindow: kind === "window",
    };
  }

  protected gateInputs(place: number): GateInputs | undefined {
    const kind = this.history.gates[place - 1]!;
    if (kind === "none") return undefined;
    return {
      ...(hasApproval(kind) && { approved: this.approvals[place] }),
      ...(hasSoak(kind) && { soak: `${soakMinutes}m` }),
      ...(kind === "window" && { window }),
    };
  }

  /** Environment variables of the provider. */
  private get env(): NodeJS.ProcessEnv {
    return { ...this.world.environment, AGENTSERVER_DIALECT: this.history.dialect };
  }

  /** Runs a function of the provider in a program. */
  protected call<Name extends FunctionName>(
    name: Name,
    args: FunctionArgs<Name>,
  ): ReturnType<typeof runFunction<Name>> {
    const { env, world } = this;
    const none = () => undefined;
    return runFunction(name, args, {
      lookUps: lookUpsWith({ config: none, keys: none, env, clock: world.time }),
      isPreview: false,
      config: { get: none, keyOf: (key) => key, stack: undefined },
      env: {},
      warn: none,
      inform: none,
      redact: (text) => text,
    });
  }

  protected begin(stack: Stack, killAt?: number): ProviderProcess {
    const process = new ProviderProcess(this.world, {
      env: this.env,
      limits: {},
      fault: killAt === undefined ? undefined : { kind: "killed", at: killAt },
    });
    stack.host = process.provider;
    return process;
  }

  private async find(place: number): Promise<DeploymentRecord | undefined> {
    const { resources } = (await ask(this.world, "GET", "/v2/deployments?limit=100")) as {
      resources: DeploymentRecord[];
    };
    return resources.find(({ name }) => name === environments[place]);
  }

  /** Returns the revisions of an environment: the serving one first, and then the others, newest first. */
  protected async observe(place: number): Promise<Seen> {
    const record = await this.find(place);
    if (!record) return [undefined];
    const { resources } = (await ask(
      this.world,
      "GET",
      `/v2/deployments/${record.id}/revisions?limit=100`,
    )) as { resources: RevisionRecord[] };
    const revisions = resources.map(({ id, status, source_revision_config: source }) => ({
      id,
      status: status,
      commit: source!.repo_ref!,
      isHealthy: (this.agents.answers.get(id) ?? "well") === "well",
    }));
    return [revisions.find(({ id }) => id === record.active_revision_id), ...revisions];
  }
}

const commitAt = (commit: number | "foreign") => (commit === "foreign" ? foreignCommit : commits[commit]!);

const unchanged: Deployed = { failure: undefined, isKilled: false, mayFail: false, isVerified: false };

/** True if the newest revision is still rolling out, or serves requests but does not pass its verification. */
function isRollingOut([serving, newest]: Seen): boolean {
  if (!newest) return false;
  return (
    !["DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED"].includes(newest.status) ||
    (newest.id === serving?.id && !newest.isHealthy)
  );
}

const hasApproval = (kind: GateKind) => kind.startsWith("approval");
const hasSoak = (kind: GateKind) => kind.endsWith("soak");

export function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return "no failure";
  return (failure as Error & { reasons?: string[] }).reasons?.join(" ") ?? failure.message;
}

export function promise(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
