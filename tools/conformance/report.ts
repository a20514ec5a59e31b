import type { Verdict } from "./assumption";
import { positionOf } from "./places";
import type { Connection, Exchange } from "./requests";
import type { Result, RunResults } from "./run";

const verdicts: readonly Verdict[] = ["refuted", "not determined", "confirmed"];

/** Returns the report as JSON. */
export function jsonReport(run: RunResults, { baseUrl, dialect }: Connection, time: Date): string {
  const results = run.results.map(({ assumption, source, outcome, exchanges }) => ({
    id: assumption.id,
    source,
    verdict: outcome.verdict,
    sentence: assumption.sentence,
    basis: assumption.basis,
    observed: outcome.observed,
    ...(outcome.verdict === "refuted" && { linesToChange: assumption.places.map(positionOf) }),
    exchanges,
  }));
  const { interrupted, left, rateLimits } = run;
  return `${JSON.stringify({ baseUrl, dialect, time: time.toISOString(), interrupted, left, rateLimits, results }, undefined, 2)}\n`;
}

/** Returns the report as Markdown. Confirmed assumptions are listed without their requests. */
export function markdownReport(run: RunResults, { baseUrl, dialect }: Connection, time: Date): string {
  const rows = verdicts.map((verdict) => `| ${verdict} | ${of(run, verdict).length} |`);
  const sections = verdicts.flatMap((verdict) => {
    const results = of(run, verdict);
    return results.length === 0 ? [] : [`## ${titles[verdict]}`, ...results.map(sectionOf)];
  });
  const limits = Object.entries(run.rateLimits).map(([name, value]) => `- \`${name}: ${value}\``);
  return `${[
    "# Conformance report",
    `Control plane: ${baseUrl}, dialect \`${dialect}\`, ${time.toISOString()}`,
    ...(run.interrupted === undefined ? [] : [`The run ended early: ${run.interrupted}`]),
    ...(run.left.length === 0
      ? ["All throwaway deployments were deleted."]
      : [
          `These deployments were not deleted: ${run.left.join(", ")}. Run \`npm run conformance -- --clean\`.`,
        ]),
    `| verdict | assumptions |\n|---|---|\n${rows.join("\n")}`,
    ...sections,
    "## Rate limits",
    limits.length === 0 ? "No response contained a header about rate limits." : limits.join("\n"),
  ].join("\n\n")}\n`;
}

/** Returns one line with the number of results per verdict. */
export function summary(run: RunResults): string {
  return verdicts
    .toReversed()
    .map((verdict) => `${of(run, verdict).length} ${verdict}`)
    .join(", ");
}

const titles: Readonly<Record<Verdict, string>> = {
  refuted: "Refuted",
  "not determined": "Not determined",
  confirmed: "Confirmed",
};

function of(run: RunResults, verdict: Verdict): Result[] {
  return run.results.filter(({ outcome }) => outcome.verdict === verdict);
}

function sectionOf({ assumption, source, outcome, exchanges }: Result): string {
  const { id, sentence, basis, places } = assumption;
  const name = source === undefined ? id : `${id} (${source})`;
  const line = `**${name}** (${basis}): ${sentence} Observed: ${outcome.observed}.`;
  if (outcome.verdict === "confirmed") return `- ${line}`;
  const lines = `Lines to change: ${places.map((place) => `\`${positionOf(place)}\``).join(", ")}`;
  return [`### ${name}`, line, ...(outcome.verdict === "refuted" ? [lines] : []), block(exchanges)].join(
    "\n\n",
  );
}

function block(exchanges: readonly Exchange[]): string {
  if (exchanges.length === 0) return "No request was sent.";
  // A response must not end the block.
  const fence = "`".repeat(
    Math.max(
      3,
      ...exchanges.flatMap(({ answer }) => (answer.match(/`+/g) ?? []).map((run) => run.length + 1)),
    ),
  );
  const lines = exchanges.flatMap(({ method, address, body, status, headers, answer }) => [
    `> ${method} ${address}`,
    ...(body === undefined ? [] : [`> ${body}`]),
    `< ${status ?? "no response"}`,
    ...Object.entries(headers).map(([name, value]) => `< ${name}: ${value}`),
    ...(answer === "" ? [] : answer.split("\n").map((line) => `< ${line}`)),
    "",
  ]);
  return `${fence}text\n${lines.join("\n").trimEnd()}\n${fence}`;
}
