import * as wire from "../../../provider/agent-server/wire";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { type Place, schemaFindings, schemasAmong } from "../judge/schemas";

const at = (schema: string): Place[] => [[published.agentServer, schema]];

/** Names of the provider's schemas in the document. */
const places: Record<string, Place[]> = {
  assistantRecord: at("Assistant"),
  assistantRow: at("Assistant"),
  cronRecord: at("Cron"),
  foundThread: at("Thread"),
  runRecord: at("Run"),
  storedRun: at("Run"),
  storedThread: at("Thread"),
  storeItemRecord: at("Item"),
  threadRecord: at("Thread"),
  threadState: at("ThreadState"),
};

/** Schemas that are not in the document, with their sources. */
const elsewhere: Record<string, string> = {
  count: "the answers of counting, whose number has no name there",
  joinedRun: "the runtime; the document has anything",
  assistantSchemas: "the answer of schemas, which is described in its place there",
};

const read: Exceptions = [
  [
    /^cronRecord (timezone|on_run_completed): not published$/,
    "selectable in a search, but not described for a cron",
  ],
];

test("reads only published fields of agent servers, and accepts all published values", () => {
  const schemas = schemasAmong(wire);
  expect(Object.keys(schemas).sort()).toEqual([...Object.keys(places), ...Object.keys(elsewhere)].sort());
  const findings = Object.entries(places).flatMap(([name, among]) =>
    schemaFindings(name, schemas[name]!, among),
  );
  expect(unexplained(findings, read)).toEqual([]);
});
