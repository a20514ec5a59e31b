import { coverage } from "../../../emulator/gateway/coverage";
import { published } from "../facts/published";
import { requestDifferences } from "../judge/differences";
import { agentServerFacts } from "../judge/documents";
import { type Exceptions, unexplained } from "../judge/exceptions";

const here = agentServerFacts();
const { operations, schemas } = published.agentServer;

/**
 * Returns the gateway's name for a published operation. The gateway documents `/mcp` without a trailing slash, but
 * serves both forms.
 */
const named = (operation: string): string => operation.replace(/ (\/mcp)\/$/, " $1");

/** Pattern for operations whose protocols specify the validation of requests. */
const protocols = /^POST \/(a2a|mcp)\//;

/** Differences between the requests that the gateway accepts and the published requests. */
const exceptions: Exceptions = [
  [/ body: optional$/, "a missing body is an empty one"],
  [/ header \S+: missing$/, "read, though it is not described"],
  [/: default none, not /, "left to the runtime, which has the same"],
  [
    /\bassistant_id: (format none, not uuid|one of string, not of string or string uuid)$/,
    "the name of a graph is sufficient",
  ],
  [
    /stream_mode: one of array of string or string \S*\|tools\|/,
    "the runtime has a mode that is not documented",
  ],
  [/ body\.(\w+\.)*(config|before): (certain|any) fields$/, "either way of saying it"],
  [
    /\.(input|goto|resume|update|values|command): (not nullable|anything, not object|one of .*)$/,
    "any input that the graph accepts",
  ],
  [/\.checkpoint\.checkpoint_(id|map|ns): nullable$/, "as checkpoints are read"],
  [
    /^POST \/runs\S* body(\[\])?\.(checkpoint|interrupt_after|interrupt_before|multitask_strategy|on_disconnect): not published$/,
    "as for other runs",
  ],
  [/^POST \/threads\/\{thread_id\}\/runs body\.on_disconnect: not published$/, "the streaming runs' too"],
  [/ query stream_mode: (not published|array, not string)$/, "sent by the official clients"],
  [
    /^POST \/threads\/\{thread_id\}\/state body\.checkpoint_id: not published$/,
    "sent by the official clients",
  ],
  [
    /^POST \/assistants\/\S*\/(latest|versions) (body: not published|query version: optional)$/,
    "sent by the official clients",
  ],
  [/ body\.ttl: one of number or object, not of object$/, "older clients send the minutes alone"],
  [
    /\b(limit|offset|after_seconds|max_depth): (minimum [01]|maximum 1000), not none$/,
    "limits of the page size",
  ],
  [/\b(after_seconds|ttl): maximum 1000000000, not none$/, "dates do not go further"],
  [
    /namespace(_prefix)?(\[\])?: (minItems|minLength) 1, not none$/,
    "namespaces and labels must not be empty",
  ],
  [/ query (xray|check_db|stream_modes|select\[\]|namespace\[\]): /, "values of a query, which are text"],
  [/^POST \/runs\/cancel body: one of object or object, not of object$/, "both groups of fields are listed"],
];

test("serves every published operation, or forwards it to the runtime", () => {
  const missing = Object.keys(operations).filter((name) => !here.operations[named(name)]);
  expect(missing.map((name) => [name, coverage[name as keyof typeof coverage]?.how])).toEqual(
    missing.map((name) => [name, "passed through"]),
  );
});

test("validates requests as published, with a few exceptions", () => {
  const findings = Object.entries(operations).flatMap(([name, operation]) => {
    const ours = here.operations[named(name)];
    if (!ours || protocols.test(name)) return [];
    return requestDifferences(name, { operation: ours, schemas: here.schemas }, { operation, schemas });
  });
  expect(unexplained(findings, exceptions)).toEqual([]);
});
