import type { Question } from "../../resource/checks";
import { pulumiCommand } from "../../resource/commands";
import { failure, warning } from "../../resource/finding";
import { foreignTag, holderInWords } from "../ownership-tag";
import { isBeingDeleted } from "../presence";
import { allSettings } from "../settings";

/** Inputs of which a change is sent to the deployment. */
const sent = [
  "source",
  "sourceConfig",
  "sourceRevisionConfig",
  "secrets",
  "environmentVariables",
  "name",
  "rollout",
  ...allSettings,
];

/** Whether the deployment that is to be changed belongs to another resource by now: the update would be refused. */
export const askOwnership: Question = async (wanted, { findByName, ownerId, once, urn }) => {
  const name = wanted.held("name");
  if (wanted.isNew || name === undefined || !sent.some((input) => wanted.changes(input))) return [];
  const found = await once(`name ${name}`, () => findByName(name));
  const live = found.filter((record) => !isBeingDeleted(record));
  const [record] = live;
  const tag = record && foreignTag({ ownerId }, record);
  if (!tag || live.length > 1) return [];
  const held = `deployment "${name}" (${record.id}) is held by ${holderInWords(tag)}`;
  if (wanted.text("adopt") === "always") return [warning("", `${held}; this update takes it back`)];
  return [
    failure(
      "",
      `${held}, so this stack can neither change nor delete it. Either take it back with \`adopt: "always"\`, or stop managing it here with ${pulumiCommand("state delete", urn)}`,
    ),
  ];
};
