import type { Dialect } from "../../control-plane/dialects";
import { fieldsUnknownTo, userPath } from "../mapping";
import { failure, type Finding } from "../../resource/inputs/finding";
import { makesOne } from "./makes-one";
import { oneOf } from "./one-of";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** What the dialect's control planes refuse about where the source comes from. */
export function sourceFindings(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  return [
    ...unknownFields(wanted, dialect),
    ...fieldsOfOtherSources(wanted, dialect),
    ...pushedTag(wanted, dialect),
    ...(makesOne(wanted, dialect)
      ? [...otherValues(wanted, dialect), ...fieldsOfSource(wanted, dialect)]
      : []),
  ];
}

/** Fields that the control plane would ignore; the provider does not send them. */
function unknownFields(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  return fieldsUnknownTo(dialect)
    .filter((path) => wanted.gives(path))
    .map((path) => failure(path, `is unknown to this control plane (dialect ${dialect.name}); leave it out`));
}

/** Fields that only deployments of other sources have. */
function fieldsOfOtherSources(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const source = wanted.text("source");
  if (source === undefined) return [];
  return Object.entries(table.fieldSources)
    .filter(([path, sources]) => !sources.includes(source) && wanted.gives(userPath(path)))
    .map(([path, sources]) =>
      failure(
        userPath(path),
        `is for the source ${sources.join(" or ")}, and this one is ${source}; leave it out`,
      ),
    );
}

/** A tag does not move, so no push can build it. */
function pushedTag(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const ref = wanted.text("sourceRevisionConfig.repoRef");
  if (!table.refusesPushedTags || !ref?.startsWith("refs/tags/")) return [];
  if (wanted.known("sourceConfig.buildOnPush") !== true) return [];
  return [
    failure(
      "sourceConfig.buildOnPush",
      `cannot be true together with the tag ${ref} in sourceRevisionConfig.repoRef: no push moves a tag; set it to false, or name a branch`,
    ),
  ];
}

function otherValues(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  return [
    ...oneOf(wanted, "source", table.sources),
    ...oneOf(wanted, "sourceConfig.deploymentType", table.deploymentTypes),
  ];
}

/** What a deployment of this source needs, and what it must not have. */
function fieldsOfSource(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const source = wanted.text("source");
  if (source === undefined || (table.sources && !table.sources.includes(source))) return [];
  const rule = table.sourceRules[source] ?? table.sourceRules["*"]!;
  return [
    ...rule.required
      .map(userPath)
      .filter((path) => wanted.lacks(path))
      .map((path) => failure(path, `is required for the source ${source}`)),
    ...rule.forbidden
      .map(userPath)
      .filter((path) => wanted.gives(path))
      .map((path) => failure(path, `is not for the source ${source}; leave it out`)),
  ];
}
