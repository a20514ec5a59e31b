import { readFileSync } from "node:fs";
import { type ClientName, clientNames, clientOperations } from "../../../tools/coverage/clients";
import { coverageDocument, coverageFile } from "../../../tools/coverage/document";
import { interfaceOperations } from "../../../tools/coverage/interface-operations";
import { absences, differences } from "../../../tools/coverage/notes";
import { coverageSections, type Row, type Section } from "../../../tools/coverage/rows";

let sections: Section[];
let rows: Row[];

beforeAll(async () => {
  sections = await coverageSections();
  rows = sections.flatMap((section) => section.rows);
});

test("matches docs/coverage.md (run `npm run coverage` to update it)", () => {
  expect(readFileSync(coverageFile, "utf8")).toBe(coverageDocument(sections));
});

test("shows every operation of the interface document as served", () => {
  for (const operation of [...interfaceOperations.controlPlane, ...interfaceOperations.agentServer]) {
    const row = rows.find((one) => one.operation === operation && one.documents.includes("interface"));
    expect([operation, row?.verdicts.interface.how]).toEqual([
      operation,
      expect.stringMatching(/^(implemented|different|passed through)$/),
    ]);
  }
});

test("explains every missing operation and every difference", () => {
  for (const { operation, verdicts } of rows)
    for (const verdict of Object.values(verdicts))
      if ("note" in verdict)
        expect([operation, verdict.note]).toEqual([operation, expect.stringMatching(/\w/)]);
});

test("has notes only for operations that are missing or differ", () => {
  const how = (operation: string) =>
    Object.values(rows.find((row) => row.operation === operation)?.verdicts ?? {}).map((one) => one.how);
  for (const [operation, note] of Object.entries(absences)) {
    // Notes about one dialect apply only to that dialect.
    const everywhere = typeof note === "string" ? ["absent", "absent"] : expect.arrayContaining(["absent"]);
    expect([operation, how(operation)]).toEqual([operation, everywhere]);
  }
  for (const operation of Object.keys(differences))
    expect([operation, how(operation)]).toEqual([operation, expect.arrayContaining(["different"])]);
});

test("lists only documented operations for every official client", () => {
  const listed = new Set(rows.map(({ operation }) => operation));
  const sent = Object.entries(clientOperations());
  expect(sent.map(([client]) => client)).toEqual(clientNames);
  for (const [client, operations] of sent) {
    expect([client, operations.filter((operation) => !listed.has(operation))]).toEqual([client, []]);
    expect([client, rows.filter((row) => row.clients?.includes(client as ClientName)).length]).toEqual([
      client,
      operations.length,
    ]);
  }
});

test("lists each operation once", () => {
  for (const { rows: listed } of sections) {
    const operations = listed.map(({ operation }) => operation);
    expect(operations).toEqual([...new Set(operations)]);
  }
});
