import type { DeploymentRecord } from "../../../../wire";
import { limitedAnswer, type ServerLimits } from "../../../provider/server-limits";
import { standingIn } from "../expected/situation";
import { asShown } from "../record/accepted";
import type { Kept } from "../record/kept";
import type { Ledger, Maker } from "../record/ledger";
import type { Program } from "../sequence/program";
import type { Server } from "../sequence/server";
import type { DeploymentView } from "../world/plane-view";
import { promise } from "./promise";

/** Final state of a sequence, after all rollouts have settled. */
export interface Outcome {
  ledger: Ledger;
  plane: DeploymentView[];
  server: Server;
  limits: ServerLimits;
}

/**
 * Checks that the resource's program has been applied and is serving, if the control plane reports which revision is
 * serving.
 */
export function requireWanted(outcome: Outcome & { resource: Maker; program: Program; kept?: Kept }): void {
  const { resource, program, kept, plane, server, limits, ledger } = outcome;
  const there = plane.find(({ id }) => id === kept?.id);
  promise(there !== undefined, "there is no deployment in the end");
  const shown = asShown(limitedAnswer(limits, there.record) as DeploymentRecord, program, program);
  for (const field of Object.keys(program) as (keyof Program)[])
    promise(shown[field] === program[field], `${field} is ${shown[field]} in the end, not ${program[field]}`);
  const newest = there.revisions[0]!;
  const isFound = kept?.ended?.id === newest.id && kept.ended.isFound;
  const isOwn = ledger.makerOf(newest.id) === resource && !isFound;
  // The resource does not repeat a failed revision of the desired source that another actor created, or that it adopted
  // with the deployment.
  const isTheirFailure = !isOwn && standingIn(server, newest.status) === "failed";
  promise(
    newest.id === there.serving || isTheirFailure,
    `what was wanted does not serve: revision ${newest.id} is ${newest.status}`,
  );
}
