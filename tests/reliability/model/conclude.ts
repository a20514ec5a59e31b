import type { DeploymentRecord } from "../../../wire";
import { limitedAnswer } from "../../provider/server-limits";
import { asked } from "./expected/asked";
import { ownerShown } from "./expected/situation";
import type { Play } from "./play";
import { promise } from "./promises/promise";
import { requireWanted } from "./promises/wanted";
import { changed } from "./sequence/program";
import type { DeploymentView } from "./world/plane-view";
import type { Resource } from "./world/scenario";

/**
 * Checks that, without further faults, the rollouts finish, and the deployments match the programs and can be
 * destroyed. If an update is rejected, follows the advice in the error.
 */
export async function conclude(play: Play): Promise<void> {
  const { scenario } = play;
  const stacks = [...scenario.stacks.entries()];
  scenario.steer({});
  await scenario.world.clock.advance(10 * 60_000);
  await play.look("others");
  for (const [who] of stacks) {
    await prepare(play, who);
    await play.up({ do: "up", who, change: {} });
    await play.command("refresh", who);
    await prepare(play, who);
    const failure = await play.up({ do: "up", who, change: {} });
    promise(!failure, `the up after a refresh, without any fault, failed: ${failure?.message}`);
  }
  await scenario.world.clock.advance(60_000);
  await play.look("others");
  for (const { name, program, kept } of scenario.stacks.flat())
    requireWanted({ resource: name, program, kept, ...play.outcome });
  for (const [who] of stacks) {
    await play.command("refresh", who);
    for (const resource of play.resources(who)) await play.requireRest(resource, "after a refresh");
  }
  const own = scenario.stacks.flat().map(({ kept }) => kept?.id);
  const others = play.plane.filter(({ id }) => !own.includes(id)).map(({ id }) => id);
  for (const [who] of stacks) await play.command("destroy", who);
  const left = play.plane.map(({ id }) => id);
  promise(JSON.stringify(left) === JSON.stringify(others), "destroy left something, or took what is others'");
}

/** Changes each program of a stack to a program that can succeed. */
async function prepare(play: Play, who: number): Promise<void> {
  const everybody = play.scenario.stacks.flat();
  for (const resource of play.resources(who)) {
    if (isOfAnother(play, resource, everybody)) play.lose(resource);
    const { program, kept } = resource;
    const holder = play.plane.find(({ id, settings }) => settings.name === program.name && id !== kept?.id);
    const isReplaced = kept && asked(kept.accepted, program, play.server.dialect).replaces;
    if (isReplaced && holder) resource.program = changed(program, { name: kept.accepted.name });
    if (!kept && holder) takeWayOut(play, resource, holder, everybody);
    resource.program = changed(resource.program, { timeout: null });
  }
}

/** True if another resource now owns a resource's deployment, which means that one of them must release it. */
function isOfAnother(play: Play, { kept, name }: Resource, everybody: Resource[]): boolean {
  const there = play.plane.find(({ id }) => id === kept?.id);
  if (!there) return false;
  if (everybody.some((other) => other.name !== name && other.kept?.id === there.id)) return true;
  const owner = ownerShown(play, limitedAnswer(play.scenario.limits, there.record) as DeploymentRecord);
  return owner !== undefined && owner !== name;
}

/** Adopts the deployment that has the name if no resource owns it. Otherwise gives the resource another name. */
function takeWayOut(play: Play, resource: Resource, holder: DeploymentView, everybody: Resource[]): void {
  const { name, program } = resource;
  const isFree = everybody.every(({ kept }) => kept?.id !== holder.id);
  if (isFree && play.server.hides !== "everything") {
    const { deploymentType } = holder.settings;
    resource.program = changed(program, { adopt: "always", deploymentType });
    return;
  }
  for (const { id } of play.ledger.madeBy(name, play.plane)) play.ledger.lose(id);
  resource.program = changed(program, { name: `free-${name}` });
}
