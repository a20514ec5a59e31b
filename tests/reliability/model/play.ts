import { counts } from "./counts";
import { expectUp } from "./expected/up";
import type { Situation } from "./expected/situation";
import { judgeDestroy, judgeRefresh, type Command } from "./promises/commands";
import { failureOf, isKept, type Action } from "./promises/action";
import { mayFail } from "./promises/exceptions";
import { areNamesRefused } from "./promises/names";
import { promise } from "./promises/promise";
import { judgeUp } from "./promises/up";
import type { Outcome } from "./promises/wanted";
import { Ledger, type Maker, type News } from "./record/ledger";
import { changed, fitting, inputsOf, type Program } from "./sequence/program";
import type { Server } from "./sequence/server";
import type { OthersStep, Step, UpStep } from "./sequence/steps";
import type { Up } from "../../provider/stack";
import { actAsOthers, Bystander } from "./world/others";
import { lookAt, type DeploymentView } from "./world/plane-view";
import { Killed, type Fault, type ProviderProcess } from "./world/provider-process";
import { Shown } from "./world/shown";
import type { Resource, Scenario } from "./world/scenario";

const struck = {
  killed: "provider kills",
  lost: "lost requests or responses",
  outage: "control plane stops",
  refused: "refused requests",
} as const;

/** All actors on one control plane. Runs each step and checks its result. */
export class Play {
  readonly ledger = new Ledger();
  plane: DeploymentView[] = [];

  constructor(
    readonly scenario: Scenario,
    readonly server: Server,
  ) {}

  async take(step: Step): Promise<void> {
    counts.commands += 1;
    if (step.do === "up") await this.up(step);
    else if (step.do === "refresh" || step.do === "destroy")
      await this.command(step.do, step.who, step.fault);
    else if (step.do === "lose") for (const resource of this.resources(step.who)) this.lose(resource);
    else await this.others(step);
  }

  /** Returns the final state of the sequence. */
  get outcome(): Outcome {
    const { ledger, plane, server, scenario } = this;
    return { ledger, plane, server, limits: scenario.limits };
  }

  resources(who = 0): Resource[] {
    return this.scenario.stacks[who] ?? [];
  }

  /** Runs `pulumi up` for one stack. @returns the error of the first resource that failed, if any */
  async up({ who, change, also, fails, answers, fault, meanwhile }: UpStep): Promise<Error | undefined> {
    const resources = this.resources(who);
    const programs = resources.map(({ program }) => program);
    for (const [place, resource] of resources.entries())
      resource.program = this.changedProgram(resource, (place === 0 ? change : also) ?? {});
    if (resources.length > 1) {
      this.scenario.begin(resources);
      if (await areNamesRefused(resources)) {
        for (const [place, resource] of resources.entries()) resource.program = programs[place]!;
        return undefined;
      }
    }
    if (fails) this.scenario.steer({ verdict: fails, times: 1 });
    this.scenario.answerFromNow(answers);
    const process = this.scenario.begin(resources, fault);
    let failure: Error | undefined;
    for (const [place, resource] of resources.entries()) {
      const bystander = new Bystander(
        this.scenario,
        place === 0 ? meanwhile : undefined,
        this.plane,
        resource,
      );
      failure = await this.upOne(resource, process, fault, bystander);
      if (failure) break;
    }
    this.countStrike(process, fault);
    this.scenario.answerFromNow();
    return failure;
  }

  /**
   * Returns the program after a change. If an interrupted create left a deployment behind, the program keeps that
   * deployment's name and type, so that the next `up` can find it by its name.
   */
  private changedProgram({ name, program, kept }: Resource, change: Partial<Program>): Program {
    const [left] = kept ? [] : this.ledger.madeBy(name, this.plane);
    const { name: leftName, deploymentType } = left?.settings ?? {};
    const next = changed(program, { ...change, ...(left && { name: leftName, deploymentType }) });
    return fitting(next, this.server);
  }

  private async upOne(
    resource: Resource,
    process: ProviderProcess,
    fault: Fault | undefined,
    bystander: Bystander,
  ): Promise<Error | undefined> {
    const { stack, program } = resource;
    const { said } = this.scenario.world.log;
    const [before, lineCount] = [this.plane, said.length];
    process.shown = new Shown();
    const up = await stack.up(inputsOf(program)).catch(endedInCheck);
    await process.endOutage();
    await bystander.leave();
    const news = await this.look(resource.name, bystander.revisions);
    const situation = this.situation(resource, before, process.shown);
    const action: Action = {
      ...situation,
      expected: expectUp(situation),
      up,
      id: stack.id,
      url: stack.state.url,
      process,
      fault,
      news,
      meanwhile: bystander.done,
      answers: this.scenario.answers,
      said: said.slice(lineCount).filter(({ urn }) => urn === stack.urn),
    };
    counts.updates += 1;
    counts["revisions created"] += news.revisions.length;
    counts["external changes during an update"] += Number(bystander.done !== undefined);
    this.keep(resource, judgeUp(action));
    const failure = failureOf(action);
    if (!failure) await this.requireRest(resource, `after ${up.step}`);
    // After a failure whose result is in the state, the next `up` must have something to do.
    else if (isKept(action) && !mayFail(process, fault))
      promise(await this.hasMoreToDo(resource), "a preview after a failed rollout is empty");
    return failure;
  }

  /** Runs `pulumi refresh` or `pulumi destroy` for one stack. */
  async command(what: "refresh" | "destroy", who?: number, fault?: Fault): Promise<void> {
    const resources = this.resources(who);
    const process = this.scenario.begin(resources, fault);
    for (const resource of resources) {
      const { kept, stack } = resource;
      if (!kept) continue;
      const before = this.plane;
      process.shown = new Shown();
      const failure = await stack[what]().then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
      await process.endOutage();
      const news = await this.look(resource.name);
      const situation = { ...this.situation(resource, before, process.shown), kept };
      const { id, state } = stack;
      const command: Command = { ...situation, id, url: state.url, failure, news, process, fault };
      this.keep(resource, what === "refresh" ? judgeRefresh(command) : judgeDestroy(command));
      if (failure) break;
    }
    this.countStrike(process, fault);
  }

  /** Removes the resource from the state without deleting the deployment. */
  lose(resource: Resource): void {
    if (resource.kept) this.ledger.lose(resource.kept.id);
    resource.stack.lose();
    resource.kept = undefined;
  }

  private keep(resource: Resource, kept: Resource["kept"]): void {
    promise(resource.stack.id === kept?.id, `the stack has ${resource.stack.id}, not ${kept?.id}`);
    if (kept) this.ledger.find(kept.id, resource.name);
    resource.kept = kept;
  }

  private async others(step: OthersStep): Promise<void> {
    await actAsOthers(this.scenario, this.server, this.plane, step);
    const news = await this.look("others");
    counts["foreign revisions"] += news.revisions.length;
  }

  private situation({ name, program, kept }: Resource, before: DeploymentView[], shown: Shown): Situation {
    const { server, ledger, plane: after, scenario } = this;
    return { resource: name, program, kept, server, limits: scenario.limits, ledger, before, after, shown };
  }

  /**
   * Reads the control plane after an action of `maker`, and records who created the new objects. Checks that no
   * resource has two deployments.
   */
  async look(maker: Maker, theirs: readonly string[] = []): Promise<News> {
    this.plane = await lookAt(this.scenario.world);
    const news = this.ledger.note(this.plane, maker, theirs);
    counts["deployments created"] += news.deployments.length;
    for (const { settings } of this.plane) {
      const isNew = settings.tag !== undefined && this.ledger.ownerOfTag(settings.tag) === undefined;
      if (isNew) promise(this.ledger.learnTag(settings.tag!, maker), `${maker} has two ownership tags`);
    }
    for (const { name } of this.scenario.stacks.flat()) {
      const { length } = this.ledger.madeBy(name, this.plane);
      const most = Math.max(counts["maximum deployments per resource"], length);
      counts["maximum deployments per resource"] = most;
      promise(length <= 1, `${length} deployments of one resource`);
    }
    return news;
  }

  /** Checks that the same program does not require any changes. */
  async requireRest(resource: Resource, when: string): Promise<void> {
    const isEmpty = !(await this.hasMoreToDo(resource));
    promise(isEmpty, `a preview ${when} is not empty: ${this.scenario.world.log.said.at(-1)?.message}`);
  }

  private async hasMoreToDo({ stack, program }: Resource): Promise<boolean> {
    this.scenario.begin([{ stack }]);
    return (await stack.preview(inputsOf(program))).changes === true;
  }

  private countStrike(process: ProviderProcess, fault: Fault | undefined): void {
    if (process.struck && fault) counts[struck[fault.kind]] += 1;
  }
}

/**
 * Returns the result of an `up` whose provider process was killed before anything was planned. Rethrows any other
 * error.
 */
function endedInCheck(end: unknown): Up {
  if (!(end instanceof Killed)) throw end;
  return { step: "refused", failure: end, checkFailures: [] };
}
