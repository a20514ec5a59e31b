import type { Dialect } from "../../provider/control-plane/dialects";
import { deploymentRecord, type DeploymentRecord } from "../../wire";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { reportedVariables } from "../../provider/deployment/environment";
import { isBeingDeleted, urlOf } from "../../provider/deployment/ownership/find-deployment";
import { isTagged, ownerOf } from "../../provider/deployment/ownership/tag";
import { withoutCredentials } from "../../provider/text/address-credentials";
import { inputsFor } from "./inputs";
import type { ExportedWorkspace } from "./exported-workspace";
import { namesFor } from "./names";
import { type ReportedRecord, unmanagedFields } from "./unmanaged";

/** Which deployments are exported, and how. */
export interface Selection {
  /** Patterns of names, of which one must fit; all deployments without any. */
  names: readonly RegExp[];
  /** Whether those that another Pulumi resource owns are taken over. */
  includeOwned: boolean;
  /** Whether they get into the state by an import, and not by an adoption. */
  imports?: boolean;
}

/** What is exported of a workspace's records; sorted, so that the same workspace comes out the same. */
export function exportedFrom(
  records: readonly ReportedRecord[],
  dialect: Dialect,
  selection: Selection,
): ExportedWorkspace {
  const all = records
    .map((reported) => ({ reported, record: deploymentRecord.parse(reported) }))
    .sort(byName);
  const live = all.filter(({ record }) => !isBeingDeleted(record));
  const namesInUse = live.map(({ record }) => nameOf(record));
  const names = new Map(namesFor(namesInUse).map((own, at) => [live[at], own]));
  const workspace: ExportedWorkspace = { deployments: [], contents: [], namesInUse, leftOut: [] };
  for (const one of all) {
    const { record, reported } = one;
    const name = nameOf(record);
    if (selection.names.length > 0 && !selection.names.some((pattern) => pattern.test(name))) continue;
    const described = inputsFor(record, dialect);
    const same = live.filter((other) => nameOf(other.record) === name);
    const reason = obstacle(record, same.length) ?? ("reason" in described ? described.reason : undefined);
    if (reason !== undefined || "reason" in described) {
      workspace.leftOut.push({ name, id: record.id, reason: reason! });
      continue;
    }
    const { inputs, leftOut } = described;
    const own = names.get(one)!;
    const asComment = isTagged(record) === true && !selection.includeOwned;
    workspace.deployments.push({
      ...own,
      id: record.id,
      name,
      inputs: selection.imports ? withoutAdoption(inputs) : inputs,
      found: {
        url: urlOf(record),
        latestRevisionId: record.latest_revision_id ?? "",
        tenantId: record.tenant_id ?? "",
        ownerId: ownerOf(record),
      },
      secrets: Object.entries(inputs.secrets ?? {}).map(([secret, value]) => ({
        name: secret,
        key: `${own.variable}_${secret}`,
        value,
      })),
      notices: [
        ...ownership(record, dialect, asComment, selection),
        ...leftOut.map((what) => `Left out, so the control plane keeps its values: ${what}.`),
        ...unmanaged(reported),
        ...clearCredentials(inputs),
        ...unreportedSecrets(record),
      ],
      asComment,
    });
  }
  return workspace;
}

/** Why a deployment cannot be adopted, whatever it is like. */
function obstacle(record: DeploymentRecord, alike: number): string | undefined {
  if (isBeingDeleted(record)) return "is being deleted";
  if (alike > 1) return "shares its name with another one, and adoption goes by the name";
  return record.latest_revision_id ? undefined : "has no revision yet, and so nothing to adopt";
}

function withoutAdoption({ adopt: _adopt, ...inputs }: DeploymentInputs): DeploymentInputs {
  return inputs;
}

function ownership(
  record: DeploymentRecord,
  dialect: Dialect,
  asComment: boolean,
  { imports }: Selection,
): string[] {
  if (!isTagged(record)) return [];
  if (asComment)
    return [
      "It carries another Pulumi resource's ownership tag and stays with that resource. To take it over, export it with --include-owned.",
    ];
  if (imports)
    return [
      "It carries another Pulumi resource's ownership tag, under which it is imported: do that only if no other stack has it in its state any more.",
    ];
  return [
    "It carries another Pulumi resource's ownership tag: adopting it takes it away from that resource.",
    ...(dialect.revises.secrets ? ["Replacing the tag makes one revision."] : []),
  ];
}

function unreportedSecrets(record: DeploymentRecord): string[] {
  if (reportedVariables(record)) return [];
  const said = "The control plane does not report its secrets; it keeps those that it has.";
  if (isTagged(record) !== undefined) return [said];
  return [
    `${said} Whether another Pulumi resource owns it is not known: adopting it would take it away from that one.`,
  ];
}

function unmanaged(reported: ReportedRecord): string[] {
  const fields = unmanagedFields(reported);
  return fields.length > 0
    ? [`The control plane keeps these settings, which have no matching input: ${fields.join(", ")}.`]
    : [];
}

/** An address is no secret to the control plane, and must be given as it is: another one is a change of the deployment. */
function clearCredentials({ sourceConfig: { repoUrl } }: DeploymentInputs): string[] {
  if (!repoUrl || withoutCredentials(repoUrl) === repoUrl) return [];
  return [
    "Its sourceConfig.repoUrl holds a user name, and maybe a password or token, in clear: do not share the files of this export, or remove them from the address, which is a change of the deployment.",
  ];
}

function nameOf({ name }: DeploymentRecord): string {
  return name ?? "";
}

type Row = { record: DeploymentRecord };

function byName({ record: one }: Row, { record: other }: Row): number {
  const [first, second] = [`${nameOf(one)}\n${one.id}`, `${nameOf(other)}\n${other.id}`];
  return first < second ? -1 : 1;
}
