import Table from "cli-table3";
import stringWidth from "string-width";
import { stackOf } from "../../provider/deployment/ownership/tag";
import { heldInWords } from "../../provider/agent-server/counts";
import { printable } from "../printable";
import type { DeploymentOverview } from "./overview";

/** Length of a revision's id in the table; `logs --revision` takes it as it stands there. */
const shortId = 8;
/** Shortest beginning of a name that is still shown, in columns. */
const leastName = 8;
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
  ].map((place) => [place, ""]),
);

/** One column: its title, and what it shows of a deployment. */
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
    return "unknown" in contents ? `not known: ${contents.unknown}` : heldInWords(contents) || "nothing";
  },
};
const columns: readonly Column[] = [
  nameColumn,
  { title: "STATUS", cell: ({ status }) => status ?? "?" },
  {
    title: "NEWEST REVISION",
    cell: ({ newestRevision: newest }) =>
      newest ? `${newest.id.slice(0, shortId)} ${newest.status}` : "none",
  },
  { title: "SERVING", cell: ({ serving }) => serving?.revisionId.slice(0, shortId) ?? "none" },
  { title: "SINCE (UTC)", cell: ({ serving }) => (serving?.since ? momentOf(serving.since) : "") },
  {
    title: "PULUMI",
    cell: ({ holder, pulumi }) => (holder ? stackOf(holder) : pulumi === null ? "?" : pulumi ? "yes" : "no"),
  },
  { title: "URL", cell: ({ url }) => url ?? "" },
];

/** What gives way in a narrow terminal, the first one first. */
const dispensable = ["URL", "SINCE (UTC)", "PULUMI", "NEWEST REVISION", "CONTENTS"];

/**
 * The deployments as a table without lines, for people.
 * @param width columns of the terminal, in which each deployment has one row; nothing where there is no terminal
 */
export function tableOf(overviews: DeploymentOverview[], width = Infinity): string {
  if (overviews.length === 0) return "No deployments in this workspace.\n";
  const shown = overviews.some(({ contents }) => contents) ? [...columns, contentsColumn] : [...columns];
  const left: string[] = [];
  for (const title of dispensable) {
    if (widthOf(shown, overviews) <= width) break;
    const place = shown.findIndex((column) => column.title === title);
    if (place < 0) continue;
    shown.splice(place, 1);
    left.push(title);
  }
  const over = Math.max(0, widthOf(shown, overviews) - width);
  const nameWidth = Math.max(leastName, widest(nameColumn, overviews) - over);
  const table = new Table({
    head: shown.map(({ title }) => title),
    chars: { ...noLines, middle: gap },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(
    ...overviews.map((overview) =>
      shown.map((column) => {
        const cell = cellOf(column, overview);
        return column === nameColumn && Number.isFinite(width) ? cut(cell, nameWidth) : cell;
      }),
    ),
  );
  const lines = table.toString().split("\n");
  const note =
    left.length > 0 ? `\nNot shown for lack of room: ${left.join(", ")}.\n--json has everything.\n` : "";
  return lines.map((line) => `${line.trimEnd()}\n`).join("") + note;
}

function widthOf(shown: readonly Column[], overviews: readonly DeploymentOverview[]): number {
  const widths = shown.map((column) => widest(column, overviews));
  return widths.reduce((sum, one) => sum + one, gap.length * (shown.length - 1));
}

function widest(column: Column, overviews: readonly DeploymentOverview[]): number {
  return Math.max(column.title.length, ...overviews.map((overview) => stringWidth(cellOf(column, overview))));
}

function cellOf({ cell }: Column, overview: DeploymentOverview): string {
  return printable(cell(overview)).replace(/\s+/g, " ");
}

/** Cut by whole characters, as people count them; some are two columns wide. */
function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function momentOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return moment.toISOString().slice(0, 19).replace("T", " ");
}
