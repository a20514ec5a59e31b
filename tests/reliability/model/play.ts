import { Stack, type Up } from "../../provider/stack";
import { canary, type World } from "../../provider/world";
import { asked, askedToGoBack, hasFailed, type Kept } from "./asked";
import { counts } from "./counts";
import { excuse, mayEndAnyhow } from "./excuses";
import { ask, lookAt, type DeploymentView } from "./plane-view";
import { firstProgram, inputsOf, type Program } from "./program";
import { Killed, ProviderProcess, type Mishap } from "./provider-process";
import type { Sequence, Step } from "./steps";

const struck = {
  killed: "provider killed",
  lost: "replies or requests lost",
  outage: "control plane ended",
} as const;

/** An `up` whose provider ended before anything was planned. */
function endedInCheck(end: unknown): Up {
  if (!(end instanceof Killed)) throw end;
  return { step: "refused", failure: end, checkFailures: [] };
}

/** Says which promise was broken. */
function promise(kept: boolean, broken: string): asserts kept {
  if (!kept) throw new Error(`Broken promise: ${broken}`);
}

/** One resource of one stack, one control plane, and everybody who acts on it. */
export class Play {
  private readonly stack: Stack;
  private program: Program;
  private plane: DeploymentView[] = [];
  private readonly known = new Set<string>();
  /** Revisions that somebody else made. */
  private readonly foreign = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly sequence: Omit<Sequence, "steps">,
  ) {
    this.program = { ...firstProgram, ...sequence.starts };
    this.stack = new Stack(world, this.begin().provider);
  }

  async take(step: Step): Promise<void> {
    counts.commands += 1;
    if (step.do === "up") {
      if (step.fails) this.world.admin.steer({ verdict: step.fails, times: 1 });
      await this.up(step.change, step.mishap);
    } else if (step.do === "refresh") await this.refresh(step.mishap);
    else if (step.do === "destroy") await this.destroy(step.mishap);
    else {
      const own = new Set(this.known);
      await this.others(step);
      counts["revisions by others"] += await this.look();
      for (const id of this.known) if (!own.has(id)) this.foreign.add(id);
    }
  }

  /** Without any more mishaps all comes to rest, is as wanted, and can be taken away. */
  async conclude(): Promise<void> {
    this.world.admin.steer({});
    await this.world.clock.advance(10 * 60_000);
    await this.look();
    await this.up({ timeout: null });
    await this.refresh();
    const { step, failure } = await this.up({});
    promise(!failure, `the up after a refresh, without any fault, failed (${step}): ${failure?.message}`);
    await this.world.clock.advance(60_000);
    await this.look();
    this.requireWanted();
    await this.refresh();
    await this.requireRest("after a refresh");
    await this.destroy();
    promise(this.plane.length === 0, "destroy left a deployment");
  }

  private async up(change: Partial<Program>, mishap?: Mishap): Promise<Up> {
    const { name, deploymentType } = this.program;
    // What a create that was cut off has left is found by its name, and stays what it was made as.
    const left = this.stack.id === undefined && this.plane.length > 0;
    this.program = { ...this.program, ...change, ...(left && { name, deploymentType }) };
    if (!this.program.wait) this.program.onFailure = "keep";
    const { program, plane: before, kept } = this;
    const { dialect, lingerSeconds } = this.sequence;
    const process = this.start(mishap);
    const up = await this.stack.up(inputsOf(program)).catch(endedInCheck);
    await this.end(process, mishap);
    const made = await this.look();
    const { plane: after } = this;
    const { state } = this.stack;
    const failed = up.failure ?? (up.checkFailures.length > 0 && new Error(JSON.stringify(up.checkFailures)));
    const excused = failed && excuse(failed, { program, kept, before, after, lingerSeconds }, state);
    const unsure = mayEndAnyhow(process, mishap, before, program);
    const rolledOut = asked(program, kept, before, dialect);
    const backAsked = String(failed) === "agentserver rollout_failed";
    const back = backAsked ? askedToGoBack(program, state, before, after, dialect) : 0;
    // A provider that was killed while it went back tells nothing about it.
    const unseenBack = unsure.failure && program.onFailure === "rollback" ? 1 : 0;
    const most = rolledOut + Math.max(back, unseenBack);
    counts.ups += 1;
    counts["rollouts failed"] += Number(backAsked);
    counts.rollbacks += back;
    counts["revisions made"] += made;
    counts["revisions too many"] += Math.max(0, made - most);
    promise(made <= most, `${made} revisions were made where ${most} were asked for`);
    promise(!failed || excused !== undefined || unsure.failure, `up failed: ${failed && failed.message}`);
    promise(excused !== "refused" || made === 0, "a revision was made by an up that was refused");
    const exact = excused === "refused" ? 0 : unsure.count ? made : rolledOut + back;
    promise(made === exact, `${made} revisions were made, not ${exact}`);
    counts["revisions asked for"] += exact;
    if (!failed) await this.requireRest(`after ${up.step}`);
    if (excused === "told") promise(await this.hasMoreToDo(), "a preview after a failed rollout is empty");
    return up;
  }

  private async refresh(mishap?: Mishap): Promise<void> {
    if (!this.stack.id) return;
    const process = this.start(mishap);
    const found = await this.stack.refresh().catch((failure: unknown) => failure as Error);
    await this.end(process, mishap);
    promise((await this.look()) === 0, "a refresh made a revision");
    if (found instanceof Error) {
      const { failure } = mayEndAnyhow(process, mishap, this.plane);
      promise(failure, `refresh failed: ${String(found)} ${found.message}`);
      return;
    }
    promise(found === this.plane.length > 0, `refresh ${found ? "kept what is gone" : "lost what is there"}`);
    const newest = this.plane[0]?.revisions[0]?.id;
    promise(
      !found || this.stack.state.latestRevisionId === newest,
      "refresh did not see the newest revision",
    );
  }

  private async destroy(mishap?: Mishap): Promise<void> {
    if (!this.stack.id) return;
    const { kept } = this;
    const process = this.start(mishap);
    const failure = await this.stack.destroy().catch((failure: unknown) => failure as Error);
    await this.end(process, mishap);
    promise((await this.look()) === 0, "a destroy made a revision");
    const { failure: mayFail } = mayEndAnyhow(process, mishap, this.plane);
    if (failure) promise(mayFail, `destroy failed: ${failure} ${failure.message}`);
    else
      promise(
        this.plane.every(({ id }) => id !== kept!.id),
        "destroy left its deployment",
      );
  }

  /** What somebody else does; nothing where there is nothing to do it to. */
  private async others(step: Exclude<Step, { mishap?: Mishap }>): Promise<void> {
    const { admin, clock } = this.world;
    if (step.do === "wait") return clock.advance(step.seconds * 1_000);
    if (step.do === "fail") return admin.steer({ verdict: step.verdict, times: 1 });
    if (step.do === "slow") return admin.steer({ pace: { afterSeconds: 90 }, times: 1 });
    if (step.do === "restart") {
      await this.world.stopPlane();
      return this.world.restartPlane();
    }
    const [there] = this.plane;
    if (!there) return;
    const path = `/v2/deployments/${there.id}`;
    if (step.do === "delete") await ask(this.world, "DELETE", path);
    else if (step.do === "push")
      admin.pushRevision(there.id, step.repoRef ? { sourceRevisionConfig: { repo_ref: step.repoRef } } : {});
    else if (step.with === "buildOnPush")
      await ask(this.world, "PATCH", path, { source_config: { build_on_push: !there.buildOnPush } });
    else {
      const mark = { name: "AGENTSERVER_OWNER", value: there.owner };
      const secrets = [mark, { name: "MODEL_KEY", value: `${canary}-theirs` }];
      await ask(this.world, "PATCH", path, { secrets });
    }
  }

  private begin(mishap?: Mishap): ProviderProcess {
    const { dialect, detects } = this.sequence;
    const env = { ...this.world.environment, ...(!detects && { AGENTSERVER_DIALECT: dialect }) };
    return new ProviderProcess(this.world, env, mishap);
  }

  private start(mishap?: Mishap): ProviderProcess {
    const process = this.begin(mishap);
    this.stack.host = process.provider;
    return process;
  }

  private async end(process: ProviderProcess, mishap?: Mishap): Promise<void> {
    await process.endOutage();
    if (process.struck && mishap) counts[struck[mishap.kind]] += 1;
  }

  private get kept(): Kept | undefined {
    const { id, state, incomplete } = this.stack;
    return id === undefined ? undefined : { id, state, incomplete };
  }

  /** Looks at the control plane; how many revisions are new. */
  private async look(): Promise<number> {
    this.plane = await lookAt(this.world);
    counts["most deployments of one resource"] = Math.max(
      counts["most deployments of one resource"],
      this.plane.length,
    );
    promise(this.plane.length <= 1, `${this.plane.length} deployments of one resource`);
    const fresh = this.plane.flatMap(({ id, revisions }) => {
      if (!this.known.has(id)) counts["deployments made"] += 1;
      this.known.add(id);
      return revisions.filter((revision) => !this.known.has(revision.id));
    });
    for (const { id } of fresh) this.known.add(id);
    return fresh.length;
  }

  /** The same program again asks for nothing. */
  private async requireRest(when: string): Promise<void> {
    promise(
      !(await this.hasMoreToDo()),
      `a preview ${when} is not empty: ${this.world.log.said.at(-1)?.message}`,
    );
  }

  private async hasMoreToDo(): Promise<boolean> {
    this.start();
    return (await this.stack.preview(inputsOf(this.program))).changes === true;
  }

  private requireWanted(): void {
    const { program } = this;
    const [there] = this.plane;
    promise(there !== undefined, "there is no deployment in the end");
    const newest = there.revisions[0]!;
    const serving = there.revisions.find(({ id }) => id === there.serving);
    promise(serving !== undefined, "nothing serves in the end");
    // A revision of the wanted source that somebody else made and that failed is not this resource's to mend.
    const isTheirs = hasFailed(newest) && this.foreign.has(newest.id);
    const has = {
      ...there,
      ...(isTheirs ? newest : serving),
      secret: there.secret?.replace(`${canary}-`, "") ?? "",
    };
    for (const field of [
      "name",
      "deploymentType",
      "buildOnPush",
      "cpu",
      "repoRef",
      "graphConfigPath",
      "secret",
    ] as const)
      promise(
        program[field] === null || program[field] === has[field],
        `${field} is ${String(has[field])} in the end, not ${program[field]}`,
      );
    promise(newest.id === serving.id || isTheirs, `what was wanted does not serve: ${newest.status}`);
  }
}
