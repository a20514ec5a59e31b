import { printableJson } from "../../printable";
import type { ReviewReport } from "../report";
import { markdownReport } from "./markdown";
import { sarifReport } from "./sarif";
import { terminalReport } from "./terminal";

/** Valid values of `--format`. */
export const formatNames = ["terminal", "markdown", "sarif", "json"] as const;

export type FormatName = (typeof formatNames)[number];

/** Returns the report in one of the formats. */
export function formatReport(format: FormatName, report: ReviewReport, toolVersion: string): string {
  switch (format) {
    case "terminal":
      return terminalReport(report);
    case "markdown":
      return markdownReport(report);
    case "sarif":
      return sarifReport(report, toolVersion);
    case "json":
      return `${printableJson(JSON.stringify(report, null, 2))}\n`;
  }
}
