import { ownerShown, recordShown, type Situation } from "../expected/situation";
import { keptAfterRefresh } from "../record/after";
import type { Kept } from "../record/kept";
import type { News } from "../record/ledger";
import type { Fault, ProviderProcess } from "../world/provider-process";
import { mayFail } from "./exceptions";
import { promise } from "./promise";
import { requireUntouched } from "./untouched";

/** Observed `refresh` or `destroy` of a resource that has a deployment. */
export interface Command extends Situation {
  kept: Kept;
  /** ID of the deployment that is in the state after the command. */
  id: string | undefined;
  /** URL of the deployment in the state. */
  url: string | undefined;
  failure: Error | undefined;
  news: News;
  process: ProviderProcess;
  fault: Fault | undefined;
}

/**
 * Checks that a refresh reads the current state and changes nothing.
 * @returns the expected state of the stack
 */
export function judgeRefresh(command: Command): Kept | undefined {
  const { failure, kept, process, fault, id } = command;
  requireUnchanged(command);
  if (failure) {
    promise(mayFail(process, fault), `refresh failed: ${failure.message}`);
    return kept;
  }
  const now = keptAfterRefresh(command);
  promise(
    (id === undefined) === (now === undefined),
    `refresh ${id ? "kept what is gone" : "lost what is there"}`,
  );
  promise(!now?.hasUrl || command.url !== undefined, "a refresh forgot the URL of the deployment");
  return now && { ...now, hasUrl: command.url !== undefined };
}

/**
 * Checks that a destroy deletes only the resource's own deployment.
 * @returns the expected state of the stack
 */
export function judgeDestroy(command: Command): Kept | undefined {
  const { failure, kept, process, fault, before, after, news } = command;
  promise(news.revisions.length === 0, "a destroy made a revision");
  requireUntouched(command, true);
  const there = before.find(({ id }) => id === kept.id);
  const owner = there && ownerShown(command, recordShown(command, there));
  const isForeign = owner !== undefined && owner !== command.resource;
  if (failure) {
    promise(mayFail(process, fault), `destroy failed: ${failure.message}`);
    return kept;
  }
  const isLeft = after.some(({ id }) => id === kept.id);
  if (isForeign) promise(isLeft, "a destroy deleted another's deployment");
  else promise(!isLeft, "destroy left its deployment");
  return undefined;
}

function requireUnchanged(command: Command): void {
  promise(command.news.revisions.length === 0, "a refresh made a revision");
  promise(command.shown.writes.length === 0, `a refresh wrote: ${command.shown.writes.join()}`);
}
