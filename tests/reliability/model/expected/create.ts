import type { DeploymentRecord } from "../../../../wire";
import { asShown } from "../record/accepted";
import type { DeploymentView } from "../world/plane-view";
import { asked } from "./asked";
import type { Expected } from "./expected";
import { newSettings, ownedSettings, sentSettings } from "./settings";
import {
  ownerShown,
  recordShown,
  revisionOf,
  showsSecrets,
  standingShown,
  type Situation,
} from "./situation";

/** Returns the expected actions of an `up` if the resource has no deployment. */
export function expectCreate(situation: Situation): Expected {
  const { program, before, server, resource } = situation;
  const holder = before.find(({ settings }) => settings.name === program.name);
  if (!holder)
    return {
      kind: "change",
      settings: newSettings(program, resource),
      revision: program,
      known: { unverified: [] },
    };
  const record = recordShown(situation, holder);
  // If names are not reported, a deployment cannot be found, but the control plane rejects a name that is in use.
  if (server.hides === "everything") return { kind: "refused", code: "name_conflict" };
  const isOwn = program.adopt !== "never" && isCutOff(situation, holder, record);
  if (!isOwn && program.adopt !== "always") return { kind: "refused", code: "name_conflict" };
  return expectAdoption(situation, holder, record, isOwn);
}

/**
 * True if interrupted creates of this resource orphaned a deployment that has not been changed by another actor.
 */
function isCutOff(situation: Situation, holder: DeploymentView, record: DeploymentRecord): boolean {
  const { ledger, resource, limits } = situation;
  const revisions = holder.revisions.filter(({ id }) => !limits.pruned?.has(id));
  return (
    ownerShown(situation, record) === resource && revisions.length <= ownedSettings(holder, ledger).creates
  );
}

function expectAdoption(
  situation: Situation,
  holder: DeploymentView,
  record: DeploymentRecord,
  isOwn: boolean,
): Expected {
  const { program, server, resource, ledger } = situation;
  const isLangsmith = server.dialect === "langsmith";
  const shown = asShown(record, program, {}, isOwn && !isLangsmith ? true : undefined);
  const { sends, revises, replaces } = asked(shown, program, server.dialect);
  if (replaces) return { kind: "refused", code: "immutable_field" };
  const found = record.latest_revision_id!;
  const seen = standingShown(situation, found);
  // A failed rollout of another actor is not repaired.
  const isFailed = isOwn && seen === "failed";
  const isNew = revises || isFailed;

  const there = ownedSettings(holder, ledger);
  const owner = ownerShown(situation, record);
  const hasSecrets = program.secret !== null || showsSecrets(record);
  // If secrets create a revision, a deployment without an owner is tagged with its next one.
  const tags = isOwn
    ? isNew && hasSecrets
    : owner !== resource && hasSecrets && (isNew || !isLangsmith || owner !== undefined);
  const creates = isOwn ? there.creates + Number(isNew) : 1;
  const isMade = isNew || (tags && isLangsmith);
  const isNewSource = isNew && (sends.source || isFailed);
  return {
    kind: "change",
    id: holder.id,
    settings: sentSettings(
      there,
      program,
      { ...sends, secrets: sends.secrets || tags },
      { owner: resource, creates },
    ),
    ...(isMade
      ? { revision: isNewSource ? program : revisionOf(situation, found)!.source }
      : { awaited: { id: found, isFound: !isOwn } }),
    found,
    known: { unverified: [] },
  };
}
