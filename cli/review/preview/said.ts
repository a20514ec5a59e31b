import { endsInCode } from "../../../provider/resource/plan/read-line";

/**
 * The lines that the log has about a resource: reasons of plans, which end in a code, and everything else. The first
 * releases wrote no codes, and nothing but reasons.
 * @param isPlanned whether there is a plan that has said its reasons
 */
export function sorted(lines: readonly string[], isPlanned: boolean): { plans: string[]; remarks: string[] } {
  const plans = lines.filter(endsInCode);
  if (plans.length === 0 && isPlanned) return { plans: [...lines], remarks: [] };
  return { plans, remarks: lines.filter((line) => !endsInCode(line)) };
}
