import { partsOfUrn } from "../../provider/resource/ownership/urn";
import { typeNameOf } from "../../provider/resource/ownership/type-token";
import { namesOf } from "./deployment";
import { isDeployment, type PreviewedResource } from "./preview/preview";

/** Resources that the user allows the update to replace. */
export interface Approvals {
  /** URNs of the approved resources. */
  urns: ReadonlySet<string>;
  /** True if an approval matches several resources; such an approval has no effect. */
  isAmbiguous: boolean;
}

/** Finds the resources that the approvals identify. */
export function approvalsOf(
  resources: readonly PreviewedResource[],
  approvals: readonly string[],
): Approvals {
  const matches = approvals.map((approval) => identified(resources, approval));
  return {
    urns: new Set(matches.flatMap((urns) => (urns.length === 1 ? urns : []))),
    isAmbiguous: matches.some((urns) => urns.length > 1),
  };
}

/**
 * Returns the URNs of the resources that are identified by `NAME` (a deployment), `KIND:NAME`, or a URN. A name in the
 * program takes precedence over a name on the control plane.
 */
function identified(resources: readonly PreviewedResource[], approval: string): string[] {
  const [, prefix, rest] = /^([A-Za-z]+):(.+)$/s.exec(approval) ?? [];
  const ofKind = resources.filter(({ type }) => prefix !== undefined && typeNameOf(type) === prefix);
  const [candidates, name] = ofKind.length > 0 ? [ofKind, rest!] : [resources.filter(isDeployment), approval];
  const having = (names: (resource: PreviewedResource) => (string | undefined)[]) =>
    urnsOf(candidates.filter((one) => names(one).includes(name)));
  const byUrn = urnsOf(resources.filter(({ urn }) => urn === approval));
  if (byUrn.length > 0) return byUrn;
  const byProgram = having(({ urn }) => [partsOfUrn(urn).name]);
  if (byProgram.length > 0) return byProgram;
  return having((one) => (isDeployment(one) ? namesOf(one) : []));
}

function urnsOf(resources: readonly PreviewedResource[]): string[] {
  return [...new Set(resources.map(({ urn }) => urn))];
}
