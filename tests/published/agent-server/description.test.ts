import { coverage } from "../../../emulator/gateway/coverage";
import { published } from "../facts/published";
import { requestDifferences } from "../judge/differences";
import { agentServerFacts } from "../judge/documents";
import { type Exceptions, unexplained } from "../judge/exceptions";

const here = agentServerFacts();
const { operations, schemas } = published.agentServer;

/** The gateway describes `/mcp` without the slash, and answers both. */
const named = (operation: string): string => operation.replace(/ (\/mcp)\/$/, " $1");

/** Checked by their own protocols, which answer in words of their own. */
const protocols = /^POST \/(a2a|mcp)\//;

/** What the gateway takes otherwise than published. */
const exceptions: Exceptions = [
  [/ body: optional$/, "a missing body is an empty one"],
  [/ header \S+: missing$/, "read, though it is not described"],
  [/: default none, not /, "left to the runtime, which has the same"],
  [
    /\bassistant_id: (format none, not uuid|one of string, not of string or string uuid)$/,
    "the name of a graph will do",
  ],
  [
    /stream_mode: one of array of string or string \S*\|tools\|/,
    "the runtime has a mode that the documents do not name",
  ],
  [/ body\.(\w+\.)*(config|before): (certain|any) fields$/, "either way of saying it"],
  [
    /\.(input|goto|resume|update|values|command): (not nullable|anything, not object|one of .*)$/,
    "whatever the graph takes",
  ],
  [/\.checkpoint\.checkpoint_(id|map|ns): nullable$/, "as checkpoints are read"],
  [
    /^POST \/runs\S* body(\[\])?\.(checkpoint|interrupt_after|interrupt_before|on_disconnect): not published$/,
    "the other runs' too",
  ],
  [/^POST \/threads\/\{thread_id\}\/runs body\.on_disconnect: not published$/, "the streaming runs' too"],
  [/ query stream_mode: (not published|array, not string)$/, "what the official clients send"],
  [
    /^POST \/threads\/\{thread_id\}\/state body\.checkpoint_id: not published$/,
    "what the official clients send",
  ],
  [
    /^POST \/assistants\/\S*\/(latest|versions) (body: not published|query version: optional)$/,
    "what the official clients send",
  ],
  [/ body\.ttl: one of number or object, not of object$/, "older clients send the minutes alone"],
  [
    /\b(limit|offset|after_seconds|max_depth): (minimum [01]|maximum 1000), not none$/,
    "there is no less, nor a page of more",
  ],
  [/\b(after_seconds|ttl): maximum 1000000000, not none$/, "dates do not go further"],
  [
    /namespace(_prefix)?(\[\])?: (minItems|minLength) 1, not none$/,
    "a namespace has labels, and a label a letter",
  ],
  [/ query (xray|check_db|stream_modes|select\[\]|namespace\[\]): /, "values of a query, which are text"],
  [
    /^POST \/runs\/cancel body: one of object or object, not of object$/,
    "the two groups of fields, written out",
  ],
];

test("every published operation is served, or passed on to the runtime", () => {
  const missing = Object.keys(operations).filter((name) => !here.operations[named(name)]);
  expect(missing.map((name) => [name, coverage[name as keyof typeof coverage]?.how])).toEqual(
    missing.map((name) => [name, "passed through"]),
  );
});

test("requests are validated as published, but for a few things", () => {
  const findings = Object.entries(operations).flatMap(([name, operation]) => {
    const ours = here.operations[named(name)];
    if (!ours || protocols.test(name)) return [];
    return requestDifferences(name, { operation: ours, schemas: here.schemas }, { operation, schemas });
  });
  expect(unexplained(findings, exceptions)).toEqual([]);
});
