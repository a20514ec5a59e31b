import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { HostileResource } from "./resource";
import { HostileServer, json, raw, type Answer, type Endpoint } from "./server";

const runs = isLongRun ? 2_000 : 60;

jest.setTimeout(isLongRun ? 1_800_000 : 300_000);

const endpoints: Endpoint[] = [
  "description",
  "list",
  "create",
  "read",
  "patch",
  "delete",
  "revision",
  "revisions",
  "logs",
];
const key = fc.constantFrom(
  "id",
  "status",
  "latest_revision_id",
  "resources",
  "logs",
  "detail",
  "url",
  "secrets",
  "__proto__",
);
const word = fc.oneof(
  fc.constantFrom("d1", "r1", "DEPLOYED", "BUILD_FAILED", "..", ""),
  fc.string({ unit: "binary" }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.jsonValue(),
    fc.dictionary(key, tie("any")),
    fc.array(tie("any"), { maxLength: 4 }),
  ),
})).any;
const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 404, 409, 429, 500),
  fc.integer({ min: 200, max: 999 }),
);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.tuple(status, value).map(([code, body]) => json(code, body)),
  fc.tuple(status, fc.uint8Array({ maxLength: 400 })).map(([code, bytes]) => raw(code, Buffer.from(bytes))),
);

test("reports a clear error for any response, and never loses a created deployment", async () => {
  let fuzzed = 0;
  let lost = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...endpoints), answer, { minKeys: 1, maxKeys: 3 }),
      fc.constantFrom("create" as const, "update" as const, "read" as const, "delete" as const),
      async (odd, call) => {
        const server = await HostileServer.start();
        try {
          Object.assign(server.odd, odd);
          server.exists = call !== "create";
          const { id } = await new HostileResource(server)[call]();
          fuzzed += server.requests.length;
          const created = server.requests.some((request) =>
            request.startsWith("POST /api-host/v2/deployments"),
          );
          if (call === "create" && created && !odd["create"] && id !== "d1") lost += 1;
          expect(lost).toBe(0);
          expect(server.requests.length).toBeLessThan(400);
        } finally {
          await server.close();
        }
      },
    ),
    { numRuns: runs },
  );
  recordFigures("hostile-fuzz", { "fuzzed responses": fuzzed, "lost deployments": lost });
});
