import Table from "cli-table3";
import { stackOf } from "../../provider/deployment/ownership-tag";
import { printable } from "../printable";
import type { DeploymentOverview } from "./overview";

/** Length of a revision's id in the table; `logs --revision` takes it as it stands there. */
const shortId = 8;

const noLines = Object.fromEntries(
  [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right",
    "left",
    "left-mid",
    "mid",
    "mid-mid",
    "right",
    "right-mid",
  ].map((place) => [place, ""]),
);

/** The deployments as a table without lines, for people. */
export function tableOf(overviews: DeploymentOverview[]): string {
  if (overviews.length === 0) return "No deployments in this workspace.\n";
  const table = new Table({
    head: ["NAME", "STATUS", "NEWEST REVISION", "SERVING", "SINCE (UTC)", "PULUMI", "URL"],
    chars: { ...noLines, middle: "  " },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...overviews.map((overview) => rowOf(overview).map((cell) => onOneLine(cell))));
  const lines = table.toString().split("\n");
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function rowOf({
  name,
  id,
  status,
  newestRevision,
  serving,
  url,
  pulumi,
  holder,
}: DeploymentOverview): string[] {
  return [
    name ?? id,
    status ?? "?",
    newestRevision ? `${newestRevision.id.slice(0, shortId)} ${newestRevision.status}` : "none",
    serving ? serving.revisionId.slice(0, shortId) : "none",
    serving?.since ? momentOf(serving.since) : "",
    holder ? stackOf(holder) : pulumi === null ? "?" : pulumi ? "yes" : "no",
    url ?? "",
  ];
}

function momentOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return moment.toISOString().slice(0, 19).replace("T", " ");
}

function onOneLine(cell: string): string {
  return printable(cell).replace(/\s+/g, " ");
}
