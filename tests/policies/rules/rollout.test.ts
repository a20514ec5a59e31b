import { rollbackOnFailure } from "../../../policies/rules/rollback-on-failure";
import { rolloutTimeout } from "../../../policies/rules/rollout-timeout";
import { rolloutVerified } from "../../../policies/rules/rollout-verified";
import { compliant, remedied, said, unknown } from "../judging";

const withRollout = (rollout?: object | string) => ({ ...compliant, rollout });

describe("rollout-timeout", () => {
  test("rejects timeouts that are too short or too long", () => {
    expect(said(rolloutTimeout, withRollout({ timeout: "30s" }))).toEqual([
      'Deployment "agent": rollout.timeout is below 1m. Set it to 1m or more.',
    ]);
    expect(said(rolloutTimeout, withRollout({ timeout: "1h1s" }))).toEqual([
      'Deployment "agent": rollout.timeout is above 1h. Set it to 1h or less.',
    ]);
    expect(said(rolloutTimeout, withRollout({ timeout: "1h" }))).toEqual([]);
  });

  test("checks customTimeouts or the default if the program sets no timeout", () => {
    const settings = { max: "20m" };
    expect(said(rolloutTimeout, withRollout(), { settings })).toHaveLength(1);
    expect(said(rolloutTimeout, withRollout(), { settings, timeouts: { create: 600 } })).toHaveLength(1);
    expect(said(rolloutTimeout, withRollout(), { settings, timeouts: { create: 600, update: 600 } })).toEqual(
      [],
    );
    expect(
      said(rolloutTimeout, withRollout(), { settings, timeouts: { create: 600, update: 1300 } }),
    ).toHaveLength(1);
    expect(
      said(rolloutTimeout, withRollout({ timeout: "20m" }), { settings, timeouts: { create: 1300 } }),
    ).toEqual([]);
  });

  test("remediates by setting the nearest bound", () => {
    expect(remedied(rolloutTimeout, withRollout({ timeout: "10s", wait: true }))!.rollout).toEqual({
      timeout: "1m",
      wait: true,
    });
    expect(remedied(rolloutTimeout, withRollout(), { settings: { max: "20m" } })!.rollout).toEqual({
      timeout: "20m",
    });
    expect(remedied(rolloutTimeout, compliant)).toBeUndefined();
  });

  test.each([
    ["90s", true],
    ["1h30m", true],
    ["2h5s", true],
    ["5m5m", false],
    ["5s1m", false],
    ["soon", false],
    ["", false],
  ])("checks whether %p is a valid bound: %p", (text, isTaken) => {
    const { pattern } = rolloutTimeout.settings.max;
    expect(new RegExp(pattern!).test(text)).toBe(isTaken);
  });
});

describe("rollout-verified", () => {
  test("requires waiting and verification", () => {
    expect(said(rolloutVerified, withRollout({ wait: false }))).toEqual([
      'Deployment "agent": rollout.wait is off. Remove it, or set it to true.',
      'Deployment "agent": rollout.verify is missing. Add at least `verify: {}`.',
    ]);
    expect(said(rolloutVerified, withRollout({ verify: { ok: false } }))).toEqual([
      expect.stringContaining("rollout.verify.ok is off"),
    ]);
    expect(said(rolloutVerified, compliant)).toEqual([]);
  });

  test("requires a smoke run if configured", () => {
    const settings = { smokeRun: true };
    expect(said(rolloutVerified, compliant, { settings })).toEqual([
      expect.stringContaining("rollout.verify.run is missing"),
    ]);
    const verify = { graph: "agent", run: { input: {} } };
    expect(said(rolloutVerified, withRollout({ verify }), { settings })).toEqual([]);
  });

  test("remediates by enabling each required setting, except those with unknown values", () => {
    expect(remedied(rolloutVerified, withRollout({ wait: false }))!.rollout).toEqual({
      wait: true,
      verify: {},
    });
    expect(remedied(rolloutVerified, withRollout({ verify: { ok: false, graph: "a" } }))!.rollout).toEqual({
      verify: { ok: true, graph: "a" },
    });
    expect(remedied(rolloutVerified, withRollout({ wait: false, verify: unknown }))!.rollout).toEqual({
      wait: true,
      verify: unknown,
    });
    expect(remedied(rolloutVerified, compliant)).toBeUndefined();
  });
});

describe("rollback-on-failure", () => {
  test("requires rollback, and remediates by enabling it", () => {
    expect(said(rollbackOnFailure, withRollout({ onFailure: "keep" }))).toEqual([
      'Deployment "agent": rollout.onFailure is not "rollback". Set it to "rollback".',
    ]);
    expect(said(rollbackOnFailure, withRollout())).toHaveLength(1);
    expect(said(rollbackOnFailure, compliant)).toEqual([]);
    expect(remedied(rollbackOnFailure, withRollout())!.rollout).toEqual({ onFailure: "rollback" });
    expect(remedied(rollbackOnFailure, compliant)).toBeUndefined();
    // The provider rejects a rollback with `wait: false`.
    expect(remedied(rollbackOnFailure, withRollout({ wait: false }))!.rollout).toEqual({
      onFailure: "rollback",
      wait: true,
    });
    expect(said(rollbackOnFailure, withRollout({ onFailure: "rollback", wait: false }))).toHaveLength(1);
  });

  test("does not change unknown values", () => {
    expect(said(rollbackOnFailure, withRollout(unknown))).toEqual([
      'advisory: Deployment "agent": cannot be evaluated yet: rollout will only be known during the update.',
    ]);
    expect(remedied(rollbackOnFailure, withRollout(unknown))).toBeUndefined();
  });
});
