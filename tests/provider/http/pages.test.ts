import { fc } from "../../properties";
import { allOf, pagesOf } from "../../../provider/http/pages";
import { agentServerAt, serviceAt } from "./service";

const { texts } = serviceAt(1);

/**
 * Reads a list with this number of rows from a server that returns at most `cap` of them per page. In the result, `all`
 * is true if each row was read exactly once.
 */
async function reading(total: number, cap: number, knowsOffset = true) {
  const rows = Array.from({ length: total }, (_, index) => ({ id: `row-${index}` }));
  let requests = 0;
  const read = async (offset: number) => {
    requests += 1;
    const start = knowsOffset ? offset : 0;
    return rows.slice(start, start + cap);
  };
  const found = await allOf(pagesOf(texts, { name: "GET /rows", read, keyOf: ({ id }) => id }));
  return { all: found.length === total && new Set(found.map(({ id }) => id)).size === total, requests };
}

test("reads all of 120 rows from a server that limits its pages to 50", async () => {
  expect(await reading(120, 50)).toEqual({ all: true, requests: 3 });
});

test.each([
  [0, 100, 1],
  [1, 100, 2],
  [99, 100, 2],
  [100, 100, 2],
  [101, 100, 2],
  [250, 100, 3],
])("reads all rows (rows: %i, page size: %i, requests: %i)", async (total, cap, requests) => {
  expect(await reading(total, cap)).toEqual({ all: true, requests });
});

test("returns every row once, regardless of how a server limits its pages", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(400), fc.integer({ min: 1, max: 150 }), async (total, cap) => {
      expect((await reading(total, cap)).all).toBe(true);
    }),
  );
});

test("sends one more request to a server that ignores offset, and returns its rows once", async () => {
  expect(await reading(150, 150, false)).toEqual({ all: true, requests: 2 });
});

test("identifies rows by the key of their service", async () => {
  const [a, b, c] = [{ assistant_id: "a" }, { assistant_id: "b" }, { assistant_id: "c" }];
  const read = async (offset: number) => (offset === 0 ? [a, b] : [b, c]);
  const list = { name: "GET /rows", read, keyOf: (row: typeof a) => row.assistant_id };
  expect(await allOf(pagesOf(texts, list))).toEqual([a, b, c]);
});

test.each([
  ["control plane", serviceAt(1), "Check that agentserver:baseUrl points to a control plane."],
  ["agent server", agentServerAt(1), "Check that the deployment's URL points to its agent server."],
])("stops reading an endless list from the %s, and names its address setting", async (_, of, advice) => {
  let row = 0;
  const read = async () => Array.from({ length: 100 }, () => ({ id: `row-${(row += 1)}` }));
  const list = { name: "GET /rows", read, keyOf: ({ id }: { id: string }) => id };
  await expect(allOf(pagesOf(of.texts, list))).rejects.toThrow(
    `GET /rows returned 1000 full pages without reaching the end of the list. ${advice}`,
  );
});
