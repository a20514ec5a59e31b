import type { Dialect } from "../../control-plane/dialects";
import { checkedResourceSpec } from "../../control-plane/wire";
import { describeIssue } from "../issues";
import { resourceSpecToWire } from "../resource-spec";
import type { Props } from "../state";
import { hasUnknown } from "../unknown";
import { failure, type Finding } from "./finding";
import type { Wanted } from "./wanted";

const group = "sourceConfig.resourceSpec";

/** Numbers of `resourceSpec` that the control plane refuses; those that are not known yet are let through. */
export function resourceSpecFindings(wanted: Wanted, { table }: Dialect): Finding[] {
  const spec = wanted.object(group);
  if (!table.checksResourceSpec || !spec || !wanted.changes(group)) return [];
  const known = Object.fromEntries(Object.entries(spec).filter(([, value]) => !hasUnknown(value)));
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
