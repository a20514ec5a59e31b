import { createHash } from "node:crypto";
import type { DeploymentRecord } from "../../../../wire";
import type { Program } from "../sequence/program";
import { secretIn } from "../world/plane-view";
import { asShown, isBuiltFrom } from "../record/accepted";
import { standingOf, type Awaited, type Ending, type Kept, type Standing } from "../record/kept";
import { asked, type Asked } from "./asked";
import type { Expected, ExpectedChange } from "./expected";
import { ownedSettings, sentSettings } from "./settings";
import {
  ownerShown,
  recordShown,
  revisionOf,
  showsSecrets,
  standingShown,
  type Situation,
} from "./situation";

/** An `up` of a resource that has a deployment. */
type Known = Situation & { kept: Kept };

/** Current status of the last rollout, with the facts that the stack therefore knows about earlier rollouts. */
interface Rollout {
  standing: Standing;
  awaited?: Awaited;
  known: ExpectedChange["known"];
}

/** Returns the expected actions of an `up` if the resource keeps its deployment. */
export function expectUpdate(situation: Known): Expected {
  const { kept, program, server, before, ledger } = situation;
  const wanted = asked(kept.accepted, program, server.dialect);
  if (!isCalled(situation, wanted)) return { kind: "nothing" };
  const there = before.find(({ id }) => id === kept.id);
  if (!there) return { kind: "refused", code: "deployment_gone" };
  const record = recordShown(situation, there);
  const owner = ownerShown(situation, record);
  const isForeign = owner !== undefined && owner !== situation.resource;
  if (isForeign && program.adopt !== "always") return { kind: "refused", code: "name_conflict" };

  const rollout = rolloutNow(situation);
  const needed = wanted.revises || rollout.standing === "failed";
  const found = record.latest_revision_id ?? kept.newest;
  const leftover = needed && found !== kept.newest ? leftBehind(situation, record, found) : undefined;
  const isOverlooked = found !== kept.newest && found !== rollout.awaited?.id;
  if (leftover === undefined && isOverlooked && program.onConflict === "fail")
    return { kind: "refused", code: "foreign_revision" };

  const taken = typeof leftover === "object" ? leftover : undefined;
  const { sends } = taken?.asked ?? wanted;
  const revises = needed && !taken;
  const isUntagged = owner === undefined && server.dialect === "langsmith" && revises;
  const secrets =
    sends.secrets ||
    isForeign ||
    // The ownership tag also records the triggers.
    ((isUntagged || sends.trigger) && (program.secret !== null || showsSecrets(record)));
  const madeByTag = isForeign && server.dialect === "langsmith";
  const isNewSource = revises && (sends.source || rollout.standing === "failed");
  const source = isNewSource ? program : revisionOf(situation, found)!.source;
  const { awaited, known, standing } = taken?.rollout ?? rollout;
  const tag = { owner: situation.resource, creates: 1 };
  return {
    kind: "change",
    id: kept.id,
    settings: sentSettings(ownedSettings(there, ledger), program, { ...sends, secrets }, tag),
    ...((revises || madeByTag) && { revision: source }),
    ...(standing === "unsettled" && { awaited }),
    found,
    known,
  };
}

/** True if the engine calls the provider for an update. */
function isCalled({ kept, program }: Known, { changes }: Asked): boolean {
  const standing = standingOf(kept);
  return changes || kept.incomplete || standing === "failed" || (standing === "unsettled" && program.wait);
}

/** Returns the status of a rollout that may have settled since the stack last read it. */
function rolloutNow(situation: Known): Rollout {
  const { kept, program } = situation;
  const { awaited, ended, good, unverified } = kept;
  if (!awaited) return { standing: standingOf(kept), known: { ended, good, unverified } };
  const seen = standingShown(situation, awaited.id);
  // The result of a revision without a record is unknown, so another one is created.
  if (seen === "pruned") return { standing: "failed", awaited, known: { good, unverified } };
  if (seen === "unsettled") return { standing: seen, awaited, known: { good, unverified } };
  // The resource neither repeats failed rollouts of other actors nor verifies their revisions.
  if (seen === "failed" && !awaited.isFound) return { standing: seen, awaited, known: { good, unverified } };
  if (seen === "deployed" && !awaited.isFound && program.verify)
    return { standing: "unsettled", awaited, known: { good, unverified } };
  const how: Ending = seen === "deployed" ? "good" : seen;
  const known = { ended: { ...awaited, how }, good: how === "good" ? awaited.id : good, unverified };
  return { standing: "deployed", awaited, known };
}

/**
 * Returns the newest revision if no other revision is necessary, because it has exactly the desired source and nothing
 * else requires a revision. Returns "failed" if this is the case, but the revision has failed.
 */
function leftBehind(
  situation: Known,
  record: Parameters<typeof isBuiltFrom>[0],
  found: string,
): { asked: Asked; rollout: Rollout } | "failed" | undefined {
  const { kept, program, server } = situation;
  if (!isBuiltFrom(record, program)) return undefined;
  const seen = standingShown(situation, found);
  if (seen === "failed" || seen === "pruned") return "failed";
  // If the triggers changed, a revision of the same source is not sufficient, unless an interrupted `up` created it for
  // the new triggers.
  const trigger = isRequested(record, kept, program) ? program.trigger : kept.accepted.trigger;
  const rest = asked({ ...asShown(record, program, kept.accepted), trigger }, program, server.dialect);
  if (rest.revises) return undefined;
  const { good, unverified } = kept;
  const awaited = { id: found, isFound: false };
  const isOver = seen !== "unsettled" && !(seen === "deployed" && program.verify);
  const how: Ending = seen === "superseded" ? "superseded" : "good";
  return {
    asked: rest,
    rollout: isOver
      ? {
          standing: "deployed",
          awaited,
          known: { ended: { ...awaited, how }, good: how === "good" ? found : good, unverified },
        }
      : { standing: "unsettled", awaited, known: { good, unverified } },
  };
}

/** True if the ownership tag shows that an `up` has sent these triggers since the state was stored. */
function isRequested(record: DeploymentRecord, { newest }: Kept, { trigger }: Program): boolean {
  const hash = createHash("sha256")
    .update(JSON.stringify([[trigger], newest]))
    .digest("hex");
  return (
    secretIn(record, "AGENTSERVER_OWNER")
      ?.split("/")
      .includes(`~${hash.slice(0, 16)}`) ?? false
  );
}
