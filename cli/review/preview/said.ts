import { endsInCode } from "../../../provider/resource/plan/read-line";

/**
 * Separates the log lines about a resource into reasons for plans and all other lines. Reasons end in a code. In the
 * first releases of the provider, however, reasons had no codes, and all lines were reasons.
 * @param isPlanned true if there is a plan that has reported its reasons
 */
export function sorted(lines: readonly string[], isPlanned: boolean): { plans: string[]; remarks: string[] } {
  const plans = lines.filter(endsInCode);
  if (plans.length === 0 && isPlanned) return { plans: [...lines], remarks: [] };
  return { plans, remarks: lines.filter((line) => !endsInCode(line)) };
}
