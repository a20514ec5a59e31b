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
// Documented with a slash at the end, served with and without.
const named = (operation: string) => operation.replace(/ (\/mcp)\/$/, " $1");

test("the gateway serves what the table says it does", () => {
  for (const operation of documentedOperations) {
    const { how } = coverage[operation];
    const own = how === "implemented" || how === "different";
    expect([operation, served.includes(named(operation))]).toEqual([operation, own]);
  }
  expect(Object.keys(coverage)).toEqual([...documentedOperations, ...furtherOperations]);
});

test("beyond the document there is only what other documents name", () => {
  const documented = new Set<string>(documentedOperations.map(named));
  expect(served.filter((operation) => !documented.has(operation))).toEqual([
    "GET /openapi.json",
    ...furtherOperations,
  ]);
});

test("one operation is absent", () => {
  const absent = Object.entries(coverage).filter(([, { how }]) => how === "absent");
  expect(absent.map(([operation]) => operation)).toEqual(["GET /threads/{thread_id}/storage"]);
});
