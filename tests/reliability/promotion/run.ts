import { VirtualClock } from "../../../emulator/index";
import { lookUpsWith } from "../../../provider/lookup/lookup";
import { runFunction } from "../../../provider/lookup/run-function";
import type { GateInputs } from "../../../provider/promotion/gate";
import type { DeploymentRecord, RevisionRecord } from "../../../wire";
import { Stack } from "../../provider/stack";
import { agentAt, World } from "../../provider/world";
import { SimulatedAgents } from "../model/world/agents";
import { ask } from "../model/world/plane-view";
import { Killed, ProviderProcess } from "../model/world/provider-process";
import {
  type Action,
  commits,
  environments,
  foreignCommit,
  type GateKind,
  type History,
  type UpAction,
} from "./history";
import { type GateSettings, Oracle, type Seen } from "./oracle";

/** Figures for all histories. */
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

/** Runs a history. @throws Error that describes the violated guarantee */
export async function run(history: History): Promise<void> {
  const clock = new VirtualClock();
  const agents = new SimulatedAgents(clock, history.dialect === "langsmith");
  const world = await World.start({ dialect: history.dialect, clock, runner: agents });
  try {
    await new Run(world, agents, history).play();
    figures.histories += 1;
  } finally {
    await world.end();
  }
}

class Run {
  private readonly stacks: Stack[];
  private readonly oracle = new Oracle(figures);
  private readonly approvals: [never: null, staging: string | null, production: string | null] = [
    null,
    null,
    null,
  ];
  private commit: string = commits[0];
  /** Environments whose next rollout fails because of an earlier update. */
  private readonly mayFail = new Set<number>();
  /** Failure of the latest update. */
  private failure: unknown;

  constructor(
    private readonly world: World,
    private readonly agents: SimulatedAgents,
    private readonly history: History,
  ) {
    this.stacks = environments.map(
      (name) =>
        new Stack(
          world,
          world.host(),
          `urn:pulumi:${name}::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent`,
        ),
    );
  }

  async play(): Promise<void> {
    for (const action of this.history.actions) await this.act(action);
    this.agents.clearSteering();
    this.mayFail.clear();
    await this.conclude();
  }

  /** Promotes the declared commit through all environments without disturbances. */
  private async conclude(): Promise<void> {
    for (const place of environments.keys()) {
      if (place > 0) {
        this.approvals[place] = this.commit;
        await this.world.clock.advance(soakMinutes * 60_000);
        while (!this.oracle.isInWindow(this.world.clock.now())) await this.world.clock.advance(3_600_000);
      }
      await this.up(place, { do: "up", who: "all", refreshes: true, missesReference: false });
      const [serving] = await this.observe(place);
      promise(
        serving?.commit === this.commit,
        `${environments[place]} does not serve ${this.commit} at the end, but ${serving?.commit}: ${describeFailure(this.failure)}`,
      );
    }
  }

  private async act(action: Action): Promise<void> {
    switch (action.do) {
      case "up": {
        const { who, commit = commits.indexOf(this.commit), killAt, fails, ...others } = action;
        this.commit = commits[commit]!;
        const places = who === "all" ? [...environments.keys()] : [who];
        for (const place of places) {
          const isFirst = place === places[0];
          const step = {
            ...others,
            who,
            killAt: isFirst ? killAt : undefined,
            fails: isFirst ? fails : undefined,
          };
          if (!(await this.up(place, step))) break;
        }
        return;
      }
      case "approve": {
        const approved =
          typeof action.commit === "number" ? commits[action.commit]! : action.commit && foreignCommit;
        this.approvals[action.for] = action.isShort ? (approved?.slice(0, 7) ?? null) : approved;
        return;
      }
      case "push":
        return this.push(action.to);
      case "wait":
        await this.world.clock.advance(action.minutes * 60_000);
    }
  }

  private async push(place: number): Promise<void> {
    // After an interrupted create, a changed deployment is not adopted without `adopt`.
    const id = this.stacks[place]!.id;
    if (id === undefined) return;
    figures["external changes"] += 1;
    this.world.admin.pushRevision(id, { sourceRevisionConfig: { repo_ref: foreignCommit } });
    await this.world.clock.advance(60_000);
    this.oracle.ignore(await this.observe(place));
  }

  /** Runs `pulumi up` of one environment. Returns true if it succeeded. */
  private async up(place: number, { refreshes, killAt, fails, missesReference }: UpAction): Promise<boolean> {
    const { clock } = this.world;
    const stack = this.stacks[place]!;
    if (refreshes && stack.id !== undefined) {
      this.begin(stack);
      await stack.refresh();
    }
    const before = await this.observe(place);
    const startedAt = clock.now();
    const upstream = place === 0 ? undefined : (await this.observe(place - 1))[0]?.commit;
    const source = place === 0 ? this.commit : await this.promoted(place, missesReference);
    if (fails === "build" && source !== undefined)
      this.agents.steer({ deployment: environments[place]!, verdict: "BUILD_FAILED", times: 1 });
    this.agents.now = fails === "verification" ? "without the graph" : "well";
    let failure: unknown;
    let step: string | undefined;
    let isKilled = false;
    if (source !== undefined) {
      const process = this.begin(stack, killAt);
      const up = await stack
        .up(agentAt(source, { name: environments[place]!, rollout: { verify: { graph: "agent" } } }))
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return { step: "refused" as const, failure: error, checkFailures: [] };
        });
      promise(up.checkFailures.length === 0, JSON.stringify(up.checkFailures));
      ({ failure, step } = up);
      isKilled = process.struck;
    }
    this.agents.now = "well";
    const mayFail = this.mayFail.has(place) || fails !== undefined;
    // A killed update may not have started the rollout that fails.
    if (isKilled && fails === "build") this.mayFail.add(place);
    else if (!isKilled) this.mayFail.delete(place);
    if (this.mayFail.size === 0) this.agents.clearSteering();
    this.failure = failure;
    const after = await this.observe(place);
    figures.updates += 1;
    figures.kills += Number(isKilled);
    figures["failed rollouts"] += Number(failure !== undefined && !isKilled);
    figures["updates that wait"] += Number(source === undefined);
    this.oracle.judge({
      place,
      gate: place === 0 ? undefined : this.gateOf(place),
      before,
      after,
      startedAt,
      endedAt: clock.now(),
      source,
      upstream,
      isVerified: failure === undefined && step !== undefined && step !== "same",
      isUndisturbed:
        !isKilled &&
        !mayFail &&
        !missesReference &&
        (refreshes || before[0]?.commit !== foreignCommit) &&
        !isRollingOut(before),
      failure,
    });
    return failure === undefined && source !== undefined;
  }

  /** Returns the commit that `promote` returns, or `undefined` if it fails because nothing may be promoted. */
  private async promoted(place: number, missesReference: boolean): Promise<string | undefined> {
    const previous = this.stacks[place - 1]!;
    const { world } = this;
    const lookUps = lookUpsWith({
      config: () => undefined,
      keys: () => undefined,
      env: { ...world.environment, AGENTSERVER_DIALECT: this.history.dialect },
      clock: world.time,
    });
    try {
      const promotion = await runFunction(
        "promote",
        {
          from: missesReference ? undefined : previous.outputs["verified"],
          fromName: environments[place - 1]!,
          to: { name: environments[place]! },
          gate: this.gateInputs(place),
        },
        {
          lookUps,
          isPreview: false,
          config: { get: () => undefined, keyOf: (key) => key },
          env: {},
          warn: () => undefined,
          inform: () => undefined,
          redact: (text) => text,
        },
      );
      promise(promotion !== undefined && "artifact" in promotion, "promote returned no source");
      return promotion.artifact;
    } catch (error) {
      promise(
        error instanceof Error && error.message.startsWith("Nothing can be promoted: "),
        `promote failed: ${String(error)}`,
      );
      return undefined;
    }
  }

  private gateOf(place: number): GateSettings {
    const kind = this.history.gates[place - 1]!;
    return {
      approved: hasApproval(kind) ? this.approvals[place] : undefined,
      soakMs: hasSoak(kind) ? soakMinutes * 60_000 : 0,
      hasWindow: kind === "window",
    };
  }

  private gateInputs(place: number): GateInputs | undefined {
    const kind = this.history.gates[place - 1]!;
    if (kind === "none") return undefined;
    return {
      ...(hasApproval(kind) && { approved: this.approvals[place] }),
      ...(hasSoak(kind) && { soak: `${soakMinutes}m` }),
      ...(kind === "window" && { window }),
    };
  }

  private begin(stack: Stack, killAt?: number): ProviderProcess {
    const process = new ProviderProcess(this.world, {
      env: { ...this.world.environment, AGENTSERVER_DIALECT: this.history.dialect },
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
  private async observe(place: number): Promise<Seen> {
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

/** True if an earlier update has started a rollout, whose result it has determined. */
function isRollingOut([serving, newest]: Seen): boolean {
  if (!newest) return false;
  return (
    !["DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED"].includes(newest.status) ||
    (newest.id === serving?.id && !newest.isHealthy)
  );
}

const hasApproval = (kind: GateKind) => kind.startsWith("approval");
const hasSoak = (kind: GateKind) => kind.endsWith("soak");

function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return "no failure";
  return (failure as Error & { reasons?: string[] }).reasons?.join(" ") ?? failure.message;
}

function promise(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
