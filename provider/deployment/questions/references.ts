import { AgentServerError } from "../../errors";
import { failure, warning, type Finding } from "../../resource/inputs/finding";
import { chooseListener } from "../inputs/listener";
import type { Listener } from "../../control-plane/client/listeners";
import { adoptsExisting } from "./held-name";
import type { Question, Sources } from "../../resource/checks";
import { createsDeployment } from "../rules/replacement-rules";
import { sameRepository } from "../../repository/same-repository";
import type { DesiredInputs } from "../../resource/inputs/wanted";

const integrationPath = "sourceConfig.integrationId";
const listenerPath = "sourceConfig.listenerId";
const namespacePath = "sourceConfig.listenerConfig.k8sNamespace";

/** Checks that the workspace has the integration, and that the integration has access to the repository. */
export const checkIntegration: Question = async (wanted, sources) => {
  const id = wanted.text(integrationPath);
  // The integration endpoints apply only to this source.
  if (!id || wanted.text("source") !== "github" || !createsDeployment(wanted, sources.dialect)) return [];
  if (!wanted.changes(integrationPath) && !wanted.changes("sourceConfig.repoUrl")) return [];
  const { client, once, signal } = sources;
  const integration = await once(`integration ${id}`, () => client().integrations.find(id, signal));
  if (!integration && (await adoptsExisting(wanted, sources))) return [];
  if (!integration)
    return [
      failure(
        integrationPath,
        "is not an integration of this workspace; install the Git host's app, or correct the ID",
      ),
    ];
  return unreached(wanted, id, sources, () => integration.repositories(signal));
};

async function unreached(
  wanted: DesiredInputs,
  id: string,
  { once }: Sources,
  list: () => Promise<string[] | undefined>,
): Promise<Finding[]> {
  const url = wanted.text("sourceConfig.repoUrl");
  if (!url) return [];
  // This is only a hint, so nothing is reported if the request fails.
  const reached = await once(`repositories ${id}`, () => list().catch(() => undefined));
  if (!reached || reached.length === 0 || reached.some((one) => sameRepository(one, url))) return [];
  return [
    warning(
      "sourceConfig.repoUrl",
      "is not a repository that the integration can access; grant the Git host's app access to it, or correct the address",
    ),
  ];
}

/** Checks that the workspace has the listener or, if none is specified, exactly one listener. */
export const checkListener: Question = async (wanted, sources) => {
  const { client, dialect, once, signal } = sources;
  const source = wanted.text("source");
  if (!createsDeployment(wanted, dialect) || !dialect?.table.fields.sourceConfig.includes("listener_id"))
    return [];
  const given = { listenerId: wanted.text(listenerPath), k8sNamespace: wanted.text(namespacePath) };
  const { listenerId: id } = given;
  const isOpen = [listenerPath, namespacePath].some((path) => wanted.lacks(path));
  const isChosen = isOpen && source !== undefined && dialect.table.listenerRequired.includes(source);
  const listeners = isChosen
    ? await once("listeners", () => client().listeners.list(signal).catch(noneIfRefused))
    : [];
  if (id && wanted.changes(listenerPath) && !listeners.some((one) => one.id === id)) {
    if (await once(`listener ${id}`, () => client().listeners.has(id, signal))) return [];
    if (await adoptsExisting(wanted, sources)) return [];
    return [failure(listenerPath, "is not a listener of this workspace")];
  }
  const chosen = chooseListener(listeners, given);
  if (!chosen || !("path" in chosen) || wanted.isUnknown(chosen.path)) return [];
  return (await adoptsExisting(wanted, sources)) ? [] : [failure(chosen.path, chosen.reason)];
};

/** Returns an empty list if the error means that the organization's plan does not include listeners. */
export function noneIfRefused(error: unknown): Listener[] {
  if (AgentServerError.is(error) && (error.isDenied || error.isMissing)) return [];
  throw error;
}
