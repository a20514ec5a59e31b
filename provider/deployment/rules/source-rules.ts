import type { Dialect } from "../../control-plane/dialects";
import { unsupportedFields, userPath } from "../mapping";
import { failure, type Finding } from "../../resource/inputs/finding";
import { createsDeployment } from "./replacement-rules";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** Checks the location of the source against the rules of the dialect. */
export function sourceFindings(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  return [
    ...unknownFields(wanted, dialect),
    ...fieldsOfOtherSources(wanted, dialect),
    ...pushedTag(wanted, dialect),
    ...(createsDeployment(wanted, dialect)
      ? [...otherValues(wanted, dialect), ...fieldsOfSource(wanted, dialect)]
      : []),
  ];
}

/** Checks for fields that the control plane would ignore and that the provider therefore does not send. */
function unknownFields(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  return unsupportedFields(dialect)
    .filter((path) => wanted.specifies(path))
    .map((path) =>
      failure(path, `is not supported by this control plane (dialect ${dialect.name}); omit it`),
    );
}

/** Checks for fields that are only valid for deployments from other sources. */
function fieldsOfOtherSources(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const source = wanted.text("source");
  if (source === undefined) return [];
  return Object.entries(table.fieldSources)
    .filter(([path, sources]) => !sources.includes(source) && wanted.specifies(userPath(path)))
    .map(([path, sources]) =>
      failure(
        userPath(path),
        `applies only if source is ${sources.join(" or ")}, but it is ${source}; omit it`,
      ),
    );
}

/**
 * Checks that `buildOnPush` is not combined with a tag. A push does not move a tag, so it would never trigger a build.
 */
function pushedTag(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const ref = wanted.text("sourceRevisionConfig.repoRef");
  if (!table.refusesPushedTags || !ref?.startsWith("refs/tags/")) return [];
  if (wanted.knownValue("sourceConfig.buildOnPush") !== true) return [];
  return [
    failure(
      "sourceConfig.buildOnPush",
      `cannot be true together with the tag ${ref} in sourceRevisionConfig.repoRef: a push does not move a tag; set it to false, or specify a branch`,
    ),
  ];
}

function otherValues(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  return [
    ...oneOf(wanted, "source", table.sources),
    ...oneOf(wanted, "sourceConfig.deploymentType", table.deploymentTypes),
  ];
}

/** Checks for fields that a deployment from this source requires, and for fields that it must not have. */
function fieldsOfSource(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const source = wanted.text("source");
  if (source === undefined || (table.sources && !table.sources.includes(source))) return [];
  const rule = table.sourceRules[source] ?? table.sourceRules["*"]!;
  return [
    ...rule.required
      .map(userPath)
      .filter((path) => wanted.lacks(path))
      .map((path) => failure(path, `is required if source is ${source}`)),
    ...rule.forbidden
      .map(userPath)
      .filter((path) => wanted.specifies(path))
      .map((path) => failure(path, `does not apply if source is ${source}; omit it`)),
  ];
}

/**
 * Checks a string against the values that the control plane accepts.
 * @param values if omitted, any string is valid
 */
export function oneOf(wanted: DesiredInputs, path: string, values: readonly string[] | undefined): Finding[] {
  const value = wanted.text(path);
  if (!values || value === undefined || value === "" || values.includes(value)) return [];
  return [
    failure(
      path,
      `${JSON.stringify(value)} is not one of the values that this control plane supports (${values.join(", ")}); if the value is newer than this release, update pulumi-agentserver`,
    ),
  ];
}

const folder = "sourceRevisionConfig.folder";
const elsewhere = ["sourceRevisionConfig.repoRef", "sourceRevisionConfig.imageUri"];

/** Checks the fields of a folder source. */
export function folderFindings(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  if (!table.fields.sourceRevisionConfig.includes("source_tarball_path")) return [];
  const [hash, dependencies] = ["sourceRevisionConfig.contentHash", "sourceRevisionConfig.dependencyFolders"];
  if (!wanted.specifies(folder))
    return [
      ...(wanted.specifies(hash) ? [failure(hash, "is computed by the provider; omit it")] : []),
      ...(wanted.specifies(dependencies)
        ? [failure(dependencies, "requires sourceRevisionConfig.folder; add the folder, or omit it")]
        : []),
    ];
  const source = wanted.text("source");
  const other = source !== undefined && source !== "internal_source";
  return [
    ...(other
      ? [failure(folder, `applies only if source is internal_source, but it is ${source}; omit it`)]
      : []),
    ...elsewhere
      .filter((path) => wanted.specifies(path))
      .map((path) => failure(path, "cannot be combined with sourceRevisionConfig.folder; omit it")),
  ];
}
