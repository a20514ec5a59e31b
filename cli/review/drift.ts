import { readLine } from "../../provider/resource/plan/read-line";
import type { RefreshFinding } from "./preview/preview";
import type { Drift } from "./report";

/**
 * Returns the differences that a refresh found, or `undefined` if there are none.
 * @param vocabulary vocabulary of the kind of resource
 */
export function driftOf<Code extends string>(
  refresh: RefreshFinding | undefined,
  vocabulary: Parameters<typeof readLine<Code>>[1],
): Drift | undefined {
  if (!refresh) return undefined;
  if (refresh.gone) return { gone: true, changes: [], notes: [] };
  const { reasons, unread } = readLine(refresh.reasons ?? "", vocabulary);
  const withCode = (code: string) => reasons.filter((reason) => reason.code === code);
  const changes = withCode("drift").flatMap((reason) =>
    reason.changes.map(({ path, values, summary }) => ({
      path,
      ...(values && { recorded: values.from, found: values.to }),
      ...(summary !== undefined && { summary }),
    })),
  );
  const isHeld = withCode("lost").length > 0;
  const notes = [...(isHeld ? ["another Pulumi resource now owns it"] : []), ...unread];
  return changes.length > 0 || notes.length > 0 ? { gone: false, changes, notes } : undefined;
}
