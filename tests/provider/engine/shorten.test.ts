import { fc } from "../../properties";
import { shortened } from "../../../provider/engine/shorten";

test("returns a string that fits unchanged", () => {
  expect(shortened(["short", "two\nlines"], 100)).toEqual(["short", "two\nlines"]);
});

test("keeps the title and the end of a long log", () => {
  const log = ["Last lines of the build log:", ...Array.from({ length: 50 }, (_, n) => `  line ${n}`)].join(
    "\n",
  );
  const [shown] = shortened([log], 120);
  expect(shown).toMatch(/^Last lines of the build log:\n {2}…/);
  expect(shown).toMatch(/line 49$/);
});

test("keeps the beginning of a long string", () => {
  expect(shortened(["a".repeat(50)], 13)).toEqual([`${"a".repeat(10)}…`]);
});

test("does not exceed the allowed number of bytes", () => {
  const paragraph = fc
    .array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 20 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(
      fc.array(paragraph, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 100, max: 500 }),
      (all, room) => {
        const bytes = shortened(all, room).map((one) => Buffer.byteLength(one));
        expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(room);
      },
    ),
  );
});
