import type { Dialect } from "../../control-plane/dialects";
import { checkedResourceSpec } from "../../../wire";
import { describeIssue } from "../../resource/inputs/issues";
import { documentedName, resourceSpecToWire } from "../inputs/resource-spec";
import type { Props } from "../../resource/inputs/values";
import { hasUnknown } from "../../resource/inputs/unknown";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

const group = "sourceConfig.resourceSpec";

/**
 * Documented keys of `resourceSpec` under the control plane's own names, and values that it refuses; those that are not
 * known yet are let through.
 */
export function resourceSpecFindings(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  const spec = wanted.object(group);
  if (!spec || !wanted.changes(group)) return [];
  const misnamed = Object.keys(spec).flatMap((key) => {
    const name = documentedName(key);
    return name === undefined ? [] : [failure(`${group}.${key}`, `is written ${name} here; rename it`)];
  });
  return [...misnamed, ...(table.checksResourceSpec ? refusedValues(spec) : [])];
}

function refusedValues(spec: Props): Finding[] {
  const known = Object.fromEntries(
    Object.entries(spec).filter(([key, value]) => documentedName(key) === undefined && !hasUnknown(value)),
  );
  const parsed = checkedResourceSpec.safeParse(resourceSpecToWire(known));
  return (parsed.error?.issues ?? [])
    .flatMap((issue) => describeIssue(issue, checkedResourceSpec))
    .map(({ path: [key = "", ...rest], reason }) =>
      failure([group, writtenAs(key, known), ...rest].join("."), inUsersWords(reason, known)),
    );
}

/** The key as the user wrote it. */
function writtenAs(wireKey: string, spec: Props): string {
  return (
    Object.keys(spec).find((key) => Object.keys(resourceSpecToWire({ [key]: 0 }))[0] === wireKey) ?? wireKey
  );
}

/** Without the service's own beginning of such a sentence, and with the user's names of other keys. */
function inUsersWords(reason: string, spec: Props): string {
  return reason
    .replace(/^value error, /i, "")
    .replace(/\b[a-z]+(_[a-z]+)+\b/g, (key) => writtenAs(key, spec));
}
