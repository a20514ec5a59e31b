import { isBeingDeleted } from "../../../wire";
import { countAgentServer, countsText } from "../../agent-server/counts";
import { warning } from "../../resource/inputs/finding";
import type { Question } from "../../resource/checks";
import { storedIdentity } from "../inputs/identity";
import { findConflict } from "./held-name";
import { ownerOf } from "../ownership/tag";
import { urlOf } from "../ownership/find-deployment";
import { createsDeployment } from "../rules/replacement-rules";

/** Reports the data that is lost when a deployment is replaced. */
export const checkReplacedData: Question = async (wanted, sources) => {
  const { agentServer, dialect, ownerId, once, signal } = sources;
  const identity = storedIdentity(wanted);
  if (wanted.isNew || !identity || !createsDeployment(wanted, dialect)) return [];
  const found = await findConflict(identity, sources);
  const ours = found.find((record) => ownerOf(record) === ownerId && !isBeingDeleted(record));
  const url = ours && urlOf(ours);
  if (!url) return [];
  // This is only a hint, so nothing is reported if the request fails.
  const counts = await once(`data of ${ours.id}`, () =>
    countAgentServer(agentServer(url), signal).catch(() => undefined),
  );
  if (!counts) return [];
  const { threads = 0, crons = 0, items = 0, ownAssistants = 0 } = counts;
  if (threads + crons + items + ownAssistants === 0) return [];
  return [
    warning(
      "",
      `replacing deployment ${ours.id} deletes it with ${countsText(counts)}. To keep them, undo the change that requires the replacement.`,
    ),
  ];
};
