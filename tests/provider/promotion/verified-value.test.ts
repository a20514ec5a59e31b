import { readVerified, verifiedValue } from "../../../provider/promotion/verified-value";

const entry = (verifiedAt: string) => ({
  source: "github",
  artifact: "1".repeat(40),
  revisionId: "r1",
  verifiedAt,
  verification: { ok: true, run: false },
});

test("rejects a current artifact without a valid time", () => {
  expect(verifiedValue.safeParse({ current: entry("soon"), history: [] }).success).toBe(false);
});

test("lists the current artifact even if the history lacks it", () => {
  const current = entry("2026-01-05T10:00:00Z");
  expect(readVerified({ current, history: [] })).toEqual({ current, history: [current] });
});
