import { agentServerApi } from "../../../emulator/gateway/api";
import { coverage } from "../../../emulator/gateway/coverage";
import { documentedOperations, furtherOperations } from "../../../emulator/gateway/documented-operations";

const api = agentServerApi(
  (url) => new URL(url).pathname,
  () => undefined,
);
const { paths = {} } = api.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
const served = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
);
// Documented with a trailing slash, served with and without one.
const named = (operation: string) => operation.replace(/ (\/mcp)\/$/, " $1");

test("serves exactly the operations that the coverage table lists as served", () => {
  for (const operation of documentedOperations) {
    const { how } = coverage[operation];
    const own = how === "implemented" || how === "different";
    expect([operation, served.includes(named(operation))]).toEqual([operation, own]);
  }
  expect(Object.keys(coverage)).toEqual([...documentedOperations, ...furtherOperations]);
});

test("serves only documented operations", () => {
  const documented = new Set<string>(documentedOperations.map(named));
  expect(served.filter((operation) => !documented.has(operation))).toEqual([
    "GET /openapi.json",
    ...furtherOperations,
  ]);
});

test("omits only the operation that reports the storage of a thread", () => {
  const absent = Object.entries(coverage).filter(([, { how }]) => how === "absent");
  expect(absent.map(([operation]) => operation)).toEqual(["GET /threads/{thread_id}/storage"]);
});
