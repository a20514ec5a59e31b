import { stackOf } from "../../wire";
import Table from "cli-table3";
import stringWidth from "string-width";
import { countsText } from "../../provider/agent-server/counts";
import { printable } from "../printable";
import type { DeploymentOverview } from "./overview";

/** Length of a revision ID in the table. `logs --revision` accepts IDs of this length. */
const idLength = 8;
/** Minimum width of the name column, in terminal columns. */
const minNameWidth = 8;
const gap = "  ";

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
  ].map((border) => [border, ""]),
);

/** Column of the table. */
interface Column {
  title: string;
  cell: (overview: DeploymentOverview) => string;
}

const nameColumn: Column = {
  title: "NAME",
  cell: ({ name, id, preview }) => `${name ?? id}${preview ? " (preview)" : ""}`,
};
const contentsColumn: Column = {
  title: "CONTENTS",
  cell: ({ contents }) => {
    if (!contents) return "";
    return "unknown" in contents ? `unknown: ${contents.unknown}` : countsText(contents) || "nothing";
  },
};
const columns: readonly Column[] = [
  nameColumn,
  { title: "STATUS", cell: ({ status }) => status ?? "?" },
  {
    title: "NEWEST REVISION",
    cell: ({ newestRevision: newest }) =>
      newest ? `${newest.id.slice(0, idLength)} ${newest.status}` : "none",
  },
  { title: "SERVING", cell: ({ serving }) => serving?.revisionId.slice(0, idLength) ?? "none" },
  { title: "SINCE (UTC)", cell: ({ serving }) => (serving?.since ? formatTime(serving.since) : "") },
  {
    title: "PULUMI",
    cell: ({ holder, pulumi }) => (holder ? stackOf(holder) : pulumi === null ? "?" : pulumi ? "yes" : "no"),
  },
  { title: "URL", cell: ({ url }) => url ?? "" },
];

/** Columns that are dropped on a narrow terminal, in this order. Columns without any values are dropped first. */
const droppableColumns = ["URL", "SINCE (UTC)", "PULUMI", "NEWEST REVISION", "CONTENTS"];

/**
 * Formats the deployments as a table without borders.
 * @param width width of the terminal, in which each deployment must fit on one row; unlimited by default
 */
export function formatTable(overviews: DeploymentOverview[], width = Infinity): string {
  if (overviews.length === 0) return "No deployments in this workspace.\n";
  const shown = overviews.some(({ contents }) => contents) ? [...columns, contentsColumn] : [...columns];
  const dropped: string[] = [];
  const empty = droppableColumns.filter((title) => isEmpty(title, shown, overviews));
  for (const title of [...empty, ...droppableColumns]) {
    if (totalWidth(shown, overviews) <= width) break;
    const index = shown.findIndex((column) => column.title === title);
    if (index < 0) continue;
    shown.splice(index, 1);
    if (!empty.includes(title)) dropped.push(title);
  }
  const excess = Math.max(0, totalWidth(shown, overviews) - width);
  const nameWidth = Math.max(minNameWidth, columnWidth(nameColumn, overviews) - excess);
  const rows = overviews.map((overview) =>
    shown.map((column) => {
      const cell = formatCell(column, overview);
      return column === nameColumn && Number.isFinite(width) ? truncate(cell, nameWidth) : cell;
    }),
  );
  const note =
    dropped.length > 0 ? `\nHidden columns: ${dropped.join(", ")}.\nUse --json to show everything.\n` : "";
  return (
    plainTable(
      shown.map(({ title }) => title),
      rows,
    ) + note
  );
}

/** Formats rows as a table without borders. */
export function plainTable(head: string[], rows: readonly string[][]): string {
  const table = new Table({
    head,
    chars: { ...noLines, middle: gap },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split("\n");
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function isEmpty(title: string, shown: readonly Column[], overviews: readonly DeploymentOverview[]): boolean {
  const column = shown.find((one) => one.title === title);
  return column !== undefined && overviews.every((overview) => column.cell(overview) === "");
}

function totalWidth(shown: readonly Column[], overviews: readonly DeploymentOverview[]): number {
  const widths = shown.map((column) => columnWidth(column, overviews));
  return widths.reduce((sum, one) => sum + one, gap.length * (shown.length - 1));
}

function columnWidth(column: Column, overviews: readonly DeploymentOverview[]): number {
  return Math.max(
    column.title.length,
    ...overviews.map((overview) => stringWidth(formatCell(column, overview))),
  );
}

function formatCell({ cell }: Column, overview: DeploymentOverview): string {
  return printable(cell(overview)).replace(/\s+/g, " ");
}

/** Truncates text to a width without splitting characters, some of which are two columns wide. */
function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let result = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(result + segment) > width - 1) break;
    result += segment;
  }
  return `${result}…`;
}

/** Formats a time in UTC, without the time zone. */
export function formatTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  return time.toISOString().slice(0, 19).replace("T", " ");
}
