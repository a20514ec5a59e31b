import { isBeingDeleted } from "../../../wire";
import type { Question } from "../../resource/checks";
import { failure, warning } from "../../resource/inputs/finding";
import { storedIdentity } from "../inputs/identity";
import { findConflict } from "./held-name";
import { conflict } from "../../resource/ownership/claim";
import { knownDeployment } from "../ownership/claim-deployment";
import { allSettings } from "../inputs/settings";

/** Names of the inputs whose changes are sent to the control plane. */
const sent = [
  "source",
  "sourceConfig",
  "sourceRevisionConfig",
  "secrets",
  "environmentVariables",
  "name",
  "agent",
  "rollout",
  ...allSettings,
];

/**
 * Checks that no other resource owns the deployment that is about to change. Otherwise, the update would be rejected.
 */
export const checkOwnership: Question = async (wanted, sources) => {
  const { ownerId, urn } = sources;
  const identity = storedIdentity(wanted);
  if (wanted.isNew || !identity || !sent.some((input) => wanted.changes(input))) return [];
  const [record, ...others] = (await findConflict(identity, sources)).filter((one) => !isBeingDeleted(one));
  if (!record || others.length > 0) return [];
  const known = knownDeployment({ ownerId, identity: { urn } }, record);
  if (known.owner !== "another") return [];
  if (wanted.text("adopt") === "always")
    return [warning("", `${known.title} is owned by ${known.holder}; this update reclaims it`)];
  return [failure("", conflict("update", known).message.replace("was not changed", "cannot be changed"))];
};
