import type { Listener } from "../../control-plane/client/listeners";

/** Complete placement of a deployment, including the parts that the program omits. */
export interface Placement {
  listenerId: string;
  /** Omitted if the listener does not specify any namespaces. */
  k8sNamespace?: string;
}

/** Parts of a placement that the program specifies. */
interface DeclaredPlacement {
  listenerId: string | undefined;
  k8sNamespace: string | undefined;
}

/** A field that the program must specify, and the reason, which lists the possible values. */
export interface Choices {
  path: "sourceConfig.listenerId" | "sourceConfig.listenerConfig.k8sNamespace";
  reason: string;
}

/**
 * Returns the placement if only one listener and one namespace are possible, or the field that the program must specify
 * if there are several. Returns `undefined` if the program specifies both, or if there is no matching listener.
 */
export function chooseListener(
  listeners: readonly Listener[],
  { listenerId, k8sNamespace }: DeclaredPlacement,
): Placement | Choices | undefined {
  const possible = listenerId === undefined ? listeners : listeners.filter(({ id }) => id === listenerId);
  const [only, ...others] = possible;
  if (!only || (listenerId !== undefined && k8sNamespace !== undefined)) return undefined;
  if (others.length > 0)
    return {
      path: "sourceConfig.listenerId",
      reason: `is required, because this workspace has several listeners: ${possible.map(listenerText).join("; ")}`,
    };
  if (k8sNamespace !== undefined) return { listenerId: only.id, k8sNamespace };
  const [namespace, ...more] = only.namespaces;
  if (more.length > 0)
    return {
      path: "sourceConfig.listenerConfig.k8sNamespace",
      reason: `is required, because listener ${only.id} has several namespaces: ${only.namespaces.join(", ")}`,
    };
  return { listenerId: only.id, ...(namespace !== undefined && { k8sNamespace: namespace }) };
}

function listenerText({ id, namespaces }: Listener): string {
  return namespaces.length > 0 ? `${id} (${namespaces.join(", ")})` : id;
}
