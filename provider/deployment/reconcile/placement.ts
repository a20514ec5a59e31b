import { AgentServerError } from "../../errors";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { DeploymentInputs } from "../inputs/inputs";
import { chooseListener } from "../inputs/listener";
import { noneIfRefused } from "../questions/references";

/**
 * Returns the inputs with a listener and a namespace, if the source requires them, the program omits them, and there is
 * exactly one of each.
 * @throws AgentServerError `bad_configuration` if there are several
 */
export async function placedInputs(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
): Promise<DeploymentInputs> {
  const { sourceConfig } = inputs;
  if (!op.plane.dialect.table.listenerRequired.includes(inputs.source)) return inputs;
  const given = {
    listenerId: sourceConfig.listenerId ?? undefined,
    k8sNamespace: sourceConfig.listenerConfig?.k8sNamespace,
  };
  if (given.listenerId !== undefined && given.k8sNamespace !== undefined) return inputs;
  const chosen = chooseListener(
    await op.plane.client.listeners.list(op.time.signal).catch(noneIfRefused),
    given,
  );
  if (!chosen) return inputs;
  if ("path" in chosen)
    throw new AgentServerError("bad_configuration", `${chosen.path} ${chosen.reason}. Nothing was created.`);
  const { listenerId, k8sNamespace } = chosen;
  const place = k8sNamespace === undefined ? "" : ` and its namespace ${k8sNamespace}`;
  op.report.log("info", `Uses listener ${listenerId}${place}, because there is no other choice.`);
  return {
    ...inputs,
    sourceConfig: {
      ...sourceConfig,
      listenerId,
      ...(k8sNamespace !== undefined && { listenerConfig: { k8sNamespace } }),
    },
  };
}
