import { dynamicType } from "../../../provider/resource/ownership/type-token";
import { terminalReport } from "../../../cli/review/formats/terminal";
import { exitCodeFor, type Gates } from "../../../cli/review/gates";
import { readPreview } from "../../../cli/review/preview/read";
import { previewOf, recordedReport, reportOf, updated, urnOf } from "./previews";

function verdict(name: "mixed" | "policy" | "refresh" | "broken" | "create", gates: Partial<Gates>) {
  const report = recordedReport(name, "events", { gates });
  return {
    code: exitCodeFor(report),
    failures: report.failures.map(({ resource, message }) => [resource, message].filter(Boolean).join(" ")),
  };
}

test("passes every report if there are no gates", () => {
  expect(verdict("mixed", {})).toEqual({ code: 0, failures: [] });
});

test("fails with --fail-on replace until the resource or the deployment name is approved", () => {
  const gates = { failOn: ["replace"] as const };
  expect(verdict("mixed", gates)).toEqual({ code: 2, failures: ["billing is replaced without approval"] });
  for (const name of ["billing", "invoices"])
    expect(verdict("mixed", { ...gates, approvedReplacements: [name] }).code).toBe(0);
  expect(verdict("mixed", { ...gates, approvedReplacements: ["triage"] }).code).toBe(2);
});

test("matches an approval against resource names before deployment names", () => {
  const renamed = updated("other", "is replaced: sourceConfig.repoUrl a → b [replace]", {
    before: { id: "other-id", inputs: { name: "agent" }, outputs: {} },
  });
  const agent = updated("agent", "is replaced: sourceConfig.repoUrl a → b [replace]");
  const failures = (...approvedReplacements: string[]) =>
    reportOf(previewOf([agent, renamed]), { gates: { failOn: ["replace"], approvedReplacements } }).failures;
  expect(failures("agent").map(({ resource }) => resource)).toEqual(["other"]);
  expect(failures("Deployment:agent").map(({ resource }) => resource)).toEqual(["other"]);
  expect(failures("agent", "other")).toEqual([]);
});

test("approves neither of two resources that match --approve-replace, and explains why", () => {
  const reasons = "is replaced: sourceConfig.repoUrl a → b [replace]";
  const nested = urnOf("agent").replace("::agents::", "::agents::acme:Team$");
  const preview = previewOf([updated("agent", reasons), updated("agent", reasons, { urn: nested })]);
  const failures = (...approvedReplacements: string[]) =>
    reportOf(preview, { gates: { failOn: ["replace"], approvedReplacements } }).failures;
  expect(failures("agent").map(({ message }) => message)).toEqual([
    "is replaced without approval",
    "is replaced without approval",
    "an approved name matches several resources, so it approves none of them; approve a URN instead",
  ]);
  expect(failures(nested, urnOf("agent"))).toEqual([]);
});

test("fails with --fail-on replace if a replacement is possible", () => {
  const preview = previewOf([
    updated("agent", "may be replaced (value not known yet): sourceConfig.repoUrl [replace?]"),
  ]);
  const code = (approvedReplacements: string[]) =>
    exitCodeFor(reportOf(preview, { gates: { failOn: ["replace"], approvedReplacements } }));
  expect([code([]), code(["agent"])]).toEqual([2, 0]);
});

test("lists the changes that cause --fail-on delete and --fail-on drift to fail", () => {
  expect(verdict("mixed", { failOn: ["delete"] })).toEqual({ code: 2, failures: ["legacy is deleted"] });
  expect(verdict("refresh", { failOn: ["drift"] }).failures.sort()).toEqual([
    "legacy was deleted outside Pulumi",
    "router was changed outside Pulumi",
  ]);
});

test.each(["digest", "events"] as const)(
  "does not treat an object that stays on the control plane as deleted: %s",
  (form) => {
    const urn = urnOf("agent");
    const old = { id: "1", inputs: { name: "agent" }, retainOnDelete: true };
    const digest = JSON.stringify({ steps: [{ op: "delete", urn, oldState: old }] });
    const step = {
      resourcePreEvent: { metadata: { op: "delete", urn, type: dynamicType("Deployment"), old } },
    };
    const events = `${JSON.stringify(step)}\n{"summaryEvent":{}}`;

    const report = reportOf(readPreview(form === "digest" ? digest : events), {
      gates: { failOn: ["delete"] },
    });

    expect(exitCodeFor(report)).toBe(0);
    expect(terminalReport(report)).toContain("agent is no longer managed, and stays on the control plane");
    expect(terminalReport(report)).not.toMatch(/deleted|lost/);
  },
);

test("fails with --fail-on drift if the preview did not check for drift", () => {
  expect(verdict("mixed", { failOn: ["drift"] })).toEqual({
    code: 2,
    failures: ["the preview did not check for drift: run it with --refresh"],
  });
});

test("fails with --fail-on policy if the preview does not show policy results", () => {
  const gates = { failOn: ["policy"] as const };
  const report = recordedReport("mixed", "digest", { gates });
  expect(exitCodeFor(report)).toBe(2);
  expect(report.failures).toEqual([
    { gate: "policy", message: "this preview format does not include policy results; use --stack" },
  ]);
  expect(verdict("mixed", gates)).toEqual({ code: 0, failures: [] });
});

test("counts deployments that are created, replaced, or rolled out again for --max-rollouts", () => {
  expect(verdict("mixed", { maxRollouts: 3 }).code).toBe(0);
  expect(verdict("mixed", { maxRollouts: 2 })).toEqual({
    code: 2,
    failures: ["the update rolls out 3 deployments, but the limit is 2"],
  });
  expect(verdict("create", { maxRollouts: 0 }).failures).toEqual([
    "the update rolls out 5 deployments, but the limit is 0",
  ]);
});

test("exits with 3 after a failed preview, except for a policy violation with --fail-on policy", () => {
  expect(verdict("broken", {}).code).toBe(3);
  expect(verdict("broken", { failOn: ["delete", "policy"] }).code).toBe(3);
  expect(verdict("policy", {}).code).toBe(3);
  expect(verdict("policy", { failOn: ["policy"] })).toEqual({
    code: 2,
    failures: ["the preview failed: a mandatory policy is violated", "triage violates the policy no-v2"],
  });
});
