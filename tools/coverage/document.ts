import { join } from "node:path";
import { repositoryRoot } from "../repository";
import { type PublicServerDifference, publicServerDifferences } from "./public-server";
import type { Row, Section, Verdict } from "./rows";

/** Path of the coverage document. */
export const coverageFile = join(repositoryRoot, "docs", "coverage.md");

/** Creates the coverage document. */
export function coverageDocument(sections: readonly Section[]): string {
  const heading = [
    "# Coverage",
    "",
    "This page lists all documented operations and their support in the local control plane. `npm run coverage` generates",
    "it from the lists of documented operations and the registered routes. Do not edit it.",
    "",
    '`interface` and `langsmith` are the dialects. "Documented in" refers to the [interface',
    "document](architecture.md#services), the documentation of the public service, or the code of its clients.",
    "",
    '"Exercised by" lists the latest official clients that send the operation to a real agent in `tests/clients`. The tests',
    "record the operations and fail if the list is not up to date. The agents in these tests are written in JavaScript.",
    "[python-agents.md](python-agents.md#differences-from-javascript-agents) describes the differences for Python agents and",
    "images.",
    "",
    ...summary(sections),
  ];
  return `${[...heading, ...sections.flatMap(table), ...publicServer()].join("\n")}\n`;
}

function publicServer(): string[] {
  return [
    "## Differences from the public agent server",
    "",
    "`tests/reliability/comparison` sends the same requests to the public agent server in Python and to agents of the local",
    "control plane in both languages. All of them run the same graphs. The test compares the status and the structure of",
    "each response. It fails if it finds a difference that the following table does not contain, or if a difference in the",
    'table no longer occurs. "The document" is the published description of the API.',
    "",
    "| operations | agents | difference | reason |",
    "| --- | --- | --- | --- |",
    ...publicServerDifferences.map(differenceRow),
  ];
}

function differenceRow({ operations, agents, difference, reason }: PublicServerDifference): string {
  const shown = operations.map((operation) => `\`${operation}\``).join("<br>");
  return `| ${shown} | ${agents.length > 1 ? "both" : agents.join()} | ${difference} | ${reason} |`;
}

function summary(sections: readonly Section[]): string[] {
  const rows = sections.flatMap(({ rows: all }) => all);
  const count = (how: Verdict["how"]): number =>
    rows.filter(({ verdicts }) => verdicts.langsmith.how === how).length;
  return [
    `${rows.length} operations. In \`langsmith\`: ${count("implemented")} implemented, ${count("different")} different, ` +
      `${count("passed through")} passed through to the runtime, ${count("absent")} absent.`,
    "",
  ];
}

function table({ title, rows }: Section): string[] {
  const isAgentServer = title === "Agent server";
  const columns = isAgentServer
    ? ["operation", "documented in", "both dialects", "exercised by"]
    : ["operation", "documented in", "interface", "langsmith"];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `## ${title}`,
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map((row) =>
      line([...operationCells(row), ...verdictCells(row, isAgentServer), ...clientCells(row)]),
    ),
    "",
  ];
}

function operationCells({ operation, documents }: Row): string[] {
  return [`\`${operation}\``, documents.join(", ")];
}

function clientCells({ clients }: Row): string[] {
  if (clients === undefined) return [];
  return [clients.length === 0 ? "–" : clients.join(", ")];
}

function verdictCells({ verdicts }: Row, once: boolean): string[] {
  if (once) return [describe(verdicts.interface)];
  const [first, second] = [describe(verdicts.interface), describe(verdicts.langsmith)];
  // A long note is not repeated.
  const repeated = second === first && "note" in verdicts.langsmith;
  return [first, repeated ? "same as `interface`" : second];
}

function describe(verdict: Verdict): string {
  return "note" in verdict && verdict.note !== undefined
    ? `${verdict.how}: ${verdict.note.replaceAll("|", "\\|")}`
    : verdict.how;
}
