import type { Assumption } from "../assumption";
import { accessAssumptions } from "./access";
import { agentServerAssumptions } from "./agent-server";
import { identityAssumptions } from "./agent-identity";
import { changeAssumptions } from "./changes";
import { creationAssumptions } from "./creation";
import { deletionAssumptions } from "./deletion";
import { rejectionAssumptions } from "./rejections";
import { rolloutAssumptions } from "./rollout";
import { uploadAssumptions } from "./uploads";

/**
 * Returns all assumptions of the provider about a control plane and the agent servers of its deployments.
 * @param archive gzip-compressed tar archive of the folder to upload; empty if there is none
 * @param config path of the graph configuration in the archive
 * @param agents false to omit the agent servers
 */
export function allAssumptions(archive: Uint8Array, config: string, agents: boolean): readonly Assumption[] {
  return [
    ...accessAssumptions,
    ...identityAssumptions,
    ...creationAssumptions,
    ...rejectionAssumptions,
    ...uploadAssumptions(archive, config),
    ...rolloutAssumptions,
    ...(agents ? agentServerAssumptions : []),
    ...changeAssumptions,
    ...deletionAssumptions,
  ];
}
