import { fc } from "../../properties";
import { defaultRetryPolicy, parseRetryAfter, retryPause } from "../../../provider/http/retry";

const policy = defaultRetryPolicy;
const tries = fc.integer({ min: 1, max: 50 });
const chance = fc.double({ min: 0, max: 1, noNaN: true });

test("limits each pause to a bound that doubles up to the cap", () => {
  fc.assert(
    fc.property(tries, chance, (failed, random) => {
      const pause = retryPause(policy, failed, undefined, () => random);
      expect(pause).toBeGreaterThanOrEqual(0);
      expect(pause).toBeLessThanOrEqual(Math.min(policy.capMs, policy.baseMs * 2 ** (failed - 1)));
    }),
  );
  expect([1, 2, 3, 9].map((failed) => retryPause(policy, failed, undefined, () => 1))).toEqual([
    250, 500, 1_000, 8_000,
  ]);
});

test("uses the requested pause up to the cap, without jitter", () => {
  fc.assert(
    fc.property(tries, chance, fc.integer({ min: 1 }), (failed, random, asked) => {
      expect(retryPause(policy, failed, asked, () => random)).toBe(Math.min(asked, policy.retryAfterCapMs));
    }),
  );
});

test("backs off as usual if the server requests a pause of zero", () => {
  expect(retryPause(policy, 3, 0, () => 0.5)).toBe(retryPause(policy, 3, undefined, () => 0.5));
});

test("parses Retry-After in seconds", () => {
  fc.assert(
    fc.property(fc.nat(999_999_999), (seconds) => {
      expect(parseRetryAfter(` ${seconds} `, 0)).toBe(seconds * 1_000);
    }),
  );
});

test("parses Retry-After as a date, and a past date as no pause", () => {
  const span = { min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(span), fc.date(span), (date, now) => {
      const wholeSeconds = Math.floor(date.getTime() / 1_000) * 1_000;
      expect(parseRetryAfter(date.toUTCString(), now.getTime())).toBe(
        Math.max(0, wholeSeconds - now.getTime()),
      );
    }),
  );
});

test.each([undefined, null, 7, "", "soon", "1.5", "-3", "Infinity", "1e3", "NaN"])("ignores %j", (header) => {
  expect(parseRetryAfter(header, 0)).toBeUndefined();
});

test("accepts any string, and never returns a negative pause", () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(parseRetryAfter(header, Date.UTC(2026, 0, 1)) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});
