import { formatReport } from "../../../cli/review/formats";
import { terminalReport } from "../../../cli/review/formats/terminal";
import { readPreview } from "../../../cli/review/preview/read";
import type { PreviewedResource } from "../../../cli/review/preview/preview";
import type { ReviewReport } from "../../../cli/review/report";
import { previewOf, reportOf, updated } from "./previews";

const urnOfKind = (kind: string, name: string) =>
  `urn:pulumi:prod::agents::pulumi-nodejs:dynamic/agentserver:${kind}::${name}`;

function ofKind(
  kind: string,
  name: string,
  operation: PreviewedResource["operation"],
  change: Partial<PreviewedResource> = {},
): PreviewedResource {
  const urn = urnOfKind(kind, name);
  return { urn, type: urn.split("::")[2]!, operation, replaceReasons: [], ...change };
}

const at = (id: string) => ({ deployment: { id, url: "https://agents.example/a" } });
const state = (id: string, inputs: object) => ({ id, inputs: { ...inputs }, outputs: {} });

function sectionsOf(report: ReviewReport): string[] {
  return terminalReport(report).trimEnd().split("\n\n");
}

const replacedAgent = updated("agent", "is replaced: name a → b [replace]", { operation: "replace" });

test("reports changes to assistants, crons, and other kinds by name, most severe first", () => {
  const report = reportOf(
    previewOf([
      replacedAgent,
      ofKind("Assistant", "brief", "update", {
        before: state("a1", { ...at("agent-id"), name: "Brief" }),
        after: { inputs: { ...at("agent-id"), name: "Briefer" }, outputs: {} },
        reasons: "changed, which creates a new version: name Brief → Briefer [patch]",
      }),
      ofKind("Cron", "report", "create", {
        after: {
          inputs: { ...at("agent-id"), schedule: "0 9 * * 1-5", ownerId: "me", schemaVersion: 1 },
          outputs: {},
        },
        remarks: ["schedule: fires next at 2026-01-05T09:00:00Z"],
      }),
      ofKind("Thread", "inbox", "delete", { before: state("t1", at("elsewhere")) }),
      ofKind("StoreItem", "tone", "same", { before: state("s1", at("agent-id")) }),
    ]),
  );
  const [, , heading, ...sections] = sectionsOf(report).slice(0, -1);
  expect(heading).toBe("Other agent server resources: 1 deleted, 1 created, 1 changed");
  expect(sections).toEqual([
    "Thread inbox is deleted",
    [
      "Cron report (0 9 * * 1-5) in agent is created",
      "  Created with",
      "    schedule: 0 9 * * 1-5",
      "  Note: schedule: fires next at 2026-01-05T09:00:00Z",
    ].join("\n"),
    [
      "Assistant brief (Briefer) in agent is changed",
      "  Sent without a replacement",
      "    name: Brief → Briefer",
    ].join("\n"),
  ]);
  expect(report.otherResources).toEqual({});
});

test("reports possible replacements, and replacements that the engine requires", () => {
  const report = reportOf(
    previewOf([
      ofKind("Cron", "report", "update", {
        before: state("c1", at("agent-id")),
        reasons: "may be replaced (value not known yet): threadId [replace?]",
      }),
      ofKind("Assistant", "brief", "replace", {
        before: state("a1", at("agent-id")),
        replaceReasons: ["graph"],
        reasons: "changed, which creates a new version: graph a → b [patch]",
      }),
      ofKind("Run", "smoke", "update", { before: state("r1", at("agent-id")) }),
    ]),
  );
  const text = terminalReport(report);
  expect(text).toContain("Cron report is changed, or is replaced: a value is not known yet");
  expect(text).toContain("the Pulumi engine, not the provider, requires the replacement (graph)");
  expect(text).toContain("Run smoke changes, and the preview does not show how");
});

test("reports a rename as a change, and a new address as a change to the state only", () => {
  const report = reportOf(
    previewOf([
      ofKind("Cron", "report", "update", {
        before: state("c1", at("agent-id")),
        reasons: "was renamed, so its ownership tag is updated [renamed]",
      }),
      ofKind("Thread", "inbox", "update", {
        before: state("t1", at("agent-id")),
        reasons: "stores the control plane's new address [new-address]",
      }),
    ]),
  );
  const text = terminalReport(report);
  expect(text).toContain("Cron report is changed");
  expect(text).toContain("was renamed, so its ownership tag is updated");
  expect(text).not.toContain("the preview does not show how");
});

test("reports drift in a deployment, and fails the gate", () => {
  const report = reportOf(
    previewOf(
      [
        ofKind("Assistant", "brief", "same", {
          before: state("a1", at("agent-id")),
          refresh: {
            reasons: "changed outside this program: context.style brief → rude [drift]",
            gone: false,
          },
        }),
        ofKind("Cron", "report", "create", { refresh: { gone: true } }),
      ],
      { refreshed: true },
    ),
    { gates: { failOn: ["drift"] } },
  );
  const text = terminalReport(report);
  expect(text).toContain(
    "Assistant brief was changed outside Pulumi; this update does not revert the change",
  );
  expect(text).toContain("context.style: recorded brief, found rude");
  expect(text).toContain("Drift: it was deleted outside Pulumi");
  expect(report.failures.map(({ resource, message }) => `${resource} ${message}`)).toEqual([
    "report was deleted outside Pulumi",
    "brief was changed outside Pulumi",
  ]);
});

test.each(["Thread", "StoreItem", "StoreItems"])("applies the gates to changes to a %s", (kind) => {
  const gates = { failOn: ["replace", "delete"] as const };
  const replaced = ofKind(kind, "data", "replace", {
    before: state("t1", at("agent-id")),
    reasons: "is replaced: key a → b [replace]",
  });
  const deleted = ofKind(kind, "old", "delete", { before: state("t2", at("agent-id")) });
  const failures = (approvedReplacements: string[]) =>
    reportOf(previewOf([replaced, deleted]), { gates: { ...gates, approvedReplacements } }).failures.map(
      ({ gate, resource }) => [gate, resource],
    );
  expect(failures([])).toEqual([
    ["replace", "data"],
    ["delete", "old"],
  ]);
  expect(failures([`${kind}:data`])).toEqual([["delete", "old"]]);
  expect(failures([replaced.urn])).toEqual([["delete", "old"]]);
  expect(failures(["data"])).toContainEqual(["replace", "data"]);
  expect(failures(["Run:data"])).toContainEqual(["replace", "data"]);
});

test("treats items that are removed from the program as deleted", () => {
  const removing = (code: string) =>
    ofKind("StoreItems", "handbook", "update", {
      before: state("handbook", at("agent-id")),
      reasons: `deleted from the server: items (2 removed: b, c) [${code}]`,
    });
  const failures = (code: string) =>
    reportOf(previewOf([removing(code)]), { gates: { failOn: ["delete"] } }).failures;
  expect(failures("remove")).toEqual([{ gate: "delete", message: "deletes items", resource: "handbook" }]);
  expect(failures("state")).toEqual([]);
});

test("does not fail a gate if a deleted assistant or cron is fully defined in the program", () => {
  const gates = { failOn: ["replace", "delete"] as const };
  const gone = ["Assistant", "Cron"].map((kind) =>
    ofKind(kind, kind, "delete", { before: state(kind, at("agent-id")) }),
  );
  expect(reportOf(previewOf(gone), { gates }).failures).toEqual([]);
});

test("lists the contents that a replacement deletes, and those that are recreated", () => {
  const brief = ofKind("Assistant", "brief", "replace", {
    before: state("a1", at("agent-id")),
    reasons: "is replaced: deployment.id [replace]",
  });
  const facts = {
    known: new Map([
      [
        replacedAgent.urn,
        {
          counts: { threads: 3, assistants: 2, crons: 1, items: 4 },
          names: {
            held: [
              { kind: "assistant" as const, id: "a1", name: "Brief" },
              { kind: "assistant" as const, id: "a2", name: "Customer's" },
              { kind: "cron" as const, id: "c9", name: "0 0 * * *" },
            ],
            namespaces: ["users", "notes"],
          },
        },
      ],
    ]),
  };
  const report = reportOf(previewOf([replacedAgent, brief]), { facts });
  expect(sectionsOf(report)[1]).toContain(
    [
      "  Also deleted: 3 threads, 1 cron, 2 assistants, 4 store items",
      "    Not recreated: assistant Customer's (a2), cron 0 0 * * * (c9)",
      "    Recreated by this program: brief (assistant)",
      "    In the store: users, notes",
    ].join("\n"),
  );
});

test("formats untrusted names as code in a comment, and redacts a secret in a name", () => {
  const cron = ofKind("Cron", "report", "create", {
    after: {
      inputs: { ...at("agent-id"), schedule: "<b>*</b>", webhook: "https://u:hunter2@h/" },
      outputs: {},
    },
  });
  const report = reportOf(previewOf([cron]), { redact: (text) => text.replaceAll("hunter2", "[secret]") });
  for (const format of ["markdown", "sarif", "json", "terminal"] as const)
    expect(formatReport(format, report, "1.0.0")).not.toContain("hunter2");
  const comment = formatReport("markdown", report, "1.0.0");
  expect(comment).toContain("<summary>Cron <code>report</code> (<code>&#60;b&#62;");
  expect(comment).not.toMatch(/[^`]<b>/);
});

test.each(["digest", "events"] as const)(
  "distinguishes reasons from other messages in a preview in the %s format",
  (form) => {
    const urn = updated("agent").urn;
    const lines = [
      "sourceConfig.listenerId: listener l-1 is used, because it is the only one",
      "needs a new revision: sourceRevisionConfig.contentHash a → b [revision]",
      "1 of 2 files changed: graph.ts",
    ];
    const resource = { id: "agent-id", urn, inputs: { name: "agent" } };
    const metadata = { op: "update", urn, type: updated("agent").type, old: resource, new: resource };
    const text =
      form === "digest"
        ? JSON.stringify({
            steps: [{ op: "update", urn, oldState: resource, newState: resource }],
            diagnostics: lines.map((message) => ({ urn, message, severity: "info" })),
          })
        : [
            ...lines.map((message) => ({ diagnosticEvent: { urn, message, severity: "info" } })),
            { resourcePreEvent: { metadata } },
            { summaryEvent: { result: "succeeded" } },
          ]
            .map((event) => JSON.stringify(event))
            .join("\n");
    expect(reportOf(readPreview(text)).deployments).toMatchObject([
      { action: "roll out", notes: [lines[0], lines[2]] },
    ]);
  },
);
