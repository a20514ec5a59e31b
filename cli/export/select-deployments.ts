import type { Dialect } from "../../provider/control-plane/dialects";
import { isBeingDeleted, deploymentRecord, type DeploymentRecord } from "../../wire";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { reportedVariables } from "../../provider/deployment/environment";
import { urlOf } from "../../provider/deployment/ownership/find-deployment";
import { isTagged, ownerOf } from "../../provider/deployment/ownership/tag";
import { withoutCredentials } from "../../provider/text/address-credentials";
import { inputsFor } from "./inputs";
import type { ExportedWorkspace, ProviderName } from "./model";
import { namesFor } from "./names";
import { type ReportedRecord, unmanagedFields } from "./unmanaged-fields";

/** Selection of the deployments to export. */
export interface Selection {
  /** Patterns, at least one of which must match the name. If empty, all deployments are selected. */
  names: readonly RegExp[];
  /** True to adopt deployments that another Pulumi resource owns. */
  includeOwned: boolean;
  /** Provider that imports the deployments; `undefined` if the deployments are adopted. */
  importedBy?: ProviderName;
}

/** Selects the records to export and converts them. The result is sorted, so that repeated exports are identical. */
export function selectDeployments(
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
  const workspace: ExportedWorkspace = { deployments: [], contents: [], namesInUse, omitted: [] };
  for (const one of all) {
    const { record, reported } = one;
    const name = nameOf(record);
    if (selection.names.length > 0 && !selection.names.some((pattern) => pattern.test(name))) continue;
    const described = inputsFor(record, dialect);
    const same = live.filter((other) => nameOf(other.record) === name);
    const reason =
      adoptionObstacle(record, same.length) ?? ("reason" in described ? described.reason : undefined);
    if (reason !== undefined || "reason" in described) {
      workspace.omitted.push({ name, id: record.id, reason: reason! });
      continue;
    }
    const { inputs, omitted } = described;
    const own = names.get(one)!;
    const asComment = isTagged(record) === true && !selection.includeOwned;
    workspace.deployments.push({
      ...own,
      id: record.id,
      name,
      inputs: isAdopted(record, selection) ? inputs : withoutAdoption(inputs),
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
        ...ownershipNotices(record, dialect, asComment, selection),
        ...omitted.map((what) => `Omitted, so the control plane keeps its values: ${what}.`),
        ...unmanagedNotices(reported),
        ...credentialNotices(inputs),
        ...unreportedSecretNotices(record),
      ],
      asComment,
    });
  }
  return workspace;
}

/**
 * Returns the reason that a deployment cannot be adopted, regardless of the settings; `undefined` if it can be adopted.
 */
function adoptionObstacle(record: DeploymentRecord, alike: number): string | undefined {
  if (isBeingDeleted(record)) return "is being deleted";
  if (alike > 1) return "shares its name with another deployment, so it cannot be adopted by name";
  return record.latest_revision_id ? undefined : "has no revision yet";
}

/**
 * True if the first update adopts the deployment. An import by the plugin does not transfer ownership, so the first
 * update after it adopts a deployment that has an ownership tag.
 */
function isAdopted(record: DeploymentRecord, { importedBy }: Selection): boolean {
  return importedBy === undefined || (importedBy === "plugin" && isTagged(record) === true);
}

function withoutAdoption({ adopt: _adopt, ...inputs }: DeploymentInputs): DeploymentInputs {
  return inputs;
}

function ownershipNotices(
  record: DeploymentRecord,
  dialect: Dialect,
  asComment: boolean,
  selection: Selection,
): string[] {
  if (!isTagged(record)) return [];
  if (asComment)
    return [
      "It is owned by another Pulumi resource, so it is exported as a comment. To adopt it, use --include-owned.",
    ];
  if (!isAdopted(record, selection))
    return [
      "It has the ownership tag of another Pulumi resource. Import it only if it is no longer in the state of any other stack.",
    ];
  return [
    "It is owned by another Pulumi resource. Adopting it transfers ownership from that resource.",
    ...(dialect.revises.secrets ? ["Replacing the ownership tag creates one revision."] : []),
  ];
}

function unreportedSecretNotices(record: DeploymentRecord): string[] {
  if (reportedVariables(record)) return [];
  const notice = "The control plane does not report its secrets. They are not changed.";
  if (isTagged(record) !== undefined) return [notice];
  return [
    `${notice} It may be owned by another Pulumi resource; adopting it would then transfer ownership from that resource.`,
  ];
}

function unmanagedNotices(reported: ReportedRecord): string[] {
  const fields = unmanagedFields(reported);
  return fields.length > 0
    ? [`The control plane keeps these settings, which have no matching input: ${fields.join(", ")}.`]
    : [];
}

/**
 * Returns a warning about credentials in the repository URL. The control plane does not treat the URL as a secret, and
 * removing the credentials would change the deployment.
 */
function credentialNotices({ sourceConfig: { repoUrl } }: DeploymentInputs): string[] {
  if (!repoUrl || withoutCredentials(repoUrl) === repoUrl) return [];
  return [
    "Its sourceConfig.repoUrl contains a user name and possibly a password or token in plain text. Either do not share the exported files, or remove the credentials from the URL; removing them changes the deployment.",
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
