import type { Question } from "../../resource/checks";
import { pulumiCommand } from "../../resource/commands";
import { failure, warning } from "../../resource/inputs/finding";
import { heldIdentity, titleOf } from "../inputs/identity";
import { lookUp } from "./held-name";
import { foreignTag, holderInWords } from "../ownership/tag";
import { isBeingDeleted } from "../ownership/find-deployment";
import { allSettings } from "../inputs/settings";

/** Inputs of which a change is sent to the deployment. */
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

/** Whether the deployment that is to be changed belongs to another resource by now: the update would be refused. */
export const askOwnership: Question = async (wanted, sources) => {
  const { ownerId, urn } = sources;
  const identity = heldIdentity(wanted);
  if (wanted.isNew || !identity || !sent.some((input) => wanted.changes(input))) return [];
  const found = await lookUp(identity, sources);
  const live = found.filter((record) => !isBeingDeleted(record));
  const [record] = live;
  const tag = record && foreignTag({ ownerId }, record);
  if (!tag || live.length > 1) return [];
  const held = `deployment ${titleOf(identity)} (${record.id}) is held by ${holderInWords(tag)}`;
  if (wanted.text("adopt") === "always") return [warning("", `${held}; this update takes it back`)];
  return [
    failure(
      "",
      `${held}, so this stack can neither change nor delete it. Either take it back with \`adopt: "always"\`, or stop managing it here with ${pulumiCommand("state delete", urn)}`,
    ),
  ];
};
