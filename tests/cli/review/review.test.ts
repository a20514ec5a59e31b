import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dynamicType } from "../../../provider/resource/ownership/type-token";
import { markdownReport } from "../../../cli/review/formats/markdown";
import { terminalReport } from "../../../cli/review/formats/terminal";
import type { PreviewedResource } from "../../../cli/review/preview/preview";
import type { DeploymentReview, ReviewReport } from "../../../cli/review/report";
import { readPreview } from "../../../cli/review/preview/read";
import { repositoryRoot } from "../../../tools/repository";
import { previewOf, recordedReport, reportOf, updated, urnOf } from "./previews";

const forms = ["digest", "events"] as const;

function deployment(report: ReviewReport, resource: string): DeploymentReview {
  return report.deployments.find((one) => one.resource === resource)!;
}

/** Returns the section of the report about one deployment. */
function section(report: ReviewReport, resource: string): string {
  return terminalReport(report)
    .split("\n\n")
    .find((text) => new RegExp(`^${resource} (\\(|is|gets|changes|takes|goes|was|no)`).test(text))!;
}

describe.each(forms)("a preview in the %s format", (form) => {
  test("reports what happens to each deployment, most severe first", () => {
    const report = recordedReport("mixed", form);
    expect(terminalReport(report).split("\n")[0]).toBe(
      "agents (agents): 1 replaced, 1 deleted, 1 rolled out again, 1 created, 1 patched without a rollout, 1 changed in state only",
    );
    expect(report.deployments.map(({ resource }) => resource)).toEqual([
      "billing",
      "legacy",
      "triage",
      "drafts",
      "search",
      "router",
    ]);
    expect(report.rollouts).toBe(3);
  });

  test("prints the lines that the guide shows", () => {
    const guide = readFileSync(join(repositoryRoot, "docs", "review-in-ci.md"), "utf8");
    const [, sample] = /```text\n(.*?)```/s.exec(guide)!;
    const printed = terminalReport(recordedReport("mixed", form)).split("\n");
    expect(sample!.split("\n").filter((line) => !printed.includes(line))).toEqual([]);
  });

  test("reports why a deployment is replaced, and that the data to be deleted is unknown", () => {
    const shown = section(recordedReport("mixed", form), "billing");
    expect(shown).toContain("billing (invoices) is replaced (deleted first, then recreated)");
    expect(shown).toContain("Requires the replacement\n    name: billing → invoices");
    expect(shown).toContain("The contents that will be lost are not known");
    expect(shown).toMatch(/Deployment ID: [0-9a-f-]{36}/);
  });

  test("reports the field that requires a new revision, with its old and new values", () => {
    const shown = section(recordedReport("mixed", form), "triage");
    expect(shown).toContain("triage gets a new revision and rolls out again");
    expect(shown).toContain("Needs a new revision\n    sourceRevisionConfig.repoRef: v1 → v2");
    expect(shown).toContain("Expected duration: under 1s (the last rollout)");
  });

  test("lists the secrets that change, and reports when they take effect", () => {
    const shown = section(recordedReport("mixed", form), "search");
    expect(shown).toContain("search is patched without a new revision");
    expect(shown).toContain("sourceConfig.buildOnPush: none → true");
    expect(shown).toContain(
      "Secrets that change: GREETING, MODEL_KEY; they take effect with the next revision",
    );
  });

  test("shows the inputs of a new deployment, but neither secrets nor unknown values", () => {
    const shown = section(recordedReport("mixed", form), "drafts");
    expect(shown).toContain("drafts is created");
    expect(shown).toContain("sourceConfig.repoUrl: the value is secret");
    expect(shown).toContain("sourceRevisionConfig.repoRef: not known before the update");
    expect(shown).toContain("Secrets: K");
  });

  test("reports drift and deleted deployments", () => {
    const report = recordedReport("refresh", form);
    expect(section(report, "router")).toContain(
      "Drift: changed outside Pulumi\n    sourceRevisionConfig.repoRef: recorded v1, found v9",
    );
    expect(section(report, "legacy")).toContain("legacy no longer exists on the control plane");
    expect(report.deployments.filter(({ drift }) => drift).map(({ resource }) => resource)).toEqual([
      "router",
      "legacy",
    ]);
    expect(report.preview.refreshed).toBe(true);
  });

  test("reports why the preview failed", () => {
    const broken = recordedReport("broken", form);
    expect(terminalReport(broken)).toMatch(/The preview failed: .*Error: program broke/);
    expect(broken.preview.failed).toBe(true);
    expect(terminalReport(recordedReport("checkfail", form))).toContain(
      "rollout.timeout: must be a length of time",
    );
  });
});

test("creates the same report from both preview formats, except for data that one omits", () => {
  for (const name of ["create", "mixed", "refresh"] as const) {
    const [digest, events] = forms.map((form) => recordedReport(name, form));
    const plain = (report: ReviewReport) => ({
      ...report,
      policies: [],
      // Each format was recorded from a separate preview, so the source positions differ.
      deployments: report.deployments.map(({ sourcePosition: _, ...rest }) => rest),
    });
    expect(plain(digest!)).toEqual(plain(events!));
  }
});

test("reports policy results in an event stream, and reports them as unknown for a digest", () => {
  const events = terminalReport(recordedReport("policy", "events"));
  expect(events).toContain(
    "mandatory: no-v2 at triage: Deployments are pinned. triage follows v2, which moves",
  );
  expect(events).toContain("advisory: advice at search: Advice. search is a short name second line");
  expect(events).toContain("the preview failed: a mandatory policy is violated");
  const { stack: _stack, ...digest } = recordedReport("policy", "digest");
  expect(terminalReport(digest)).toMatch(/Policies: unknown, .*; `npx agentserver review` with --stack/);
  expect(terminalReport({ ...digest, stack: "dev 1" })).toContain(
    "`npx agentserver review --stack 'dev 1'` shows them",
  );
});

describe("reasons for a plan", () => {
  const action = (shown?: string) => {
    const { deployments } = reportOf(previewOf([updated("agent", shown)]));
    return { action: deployments[0]!.action, rollsOut: deployments[0]!.rollsOut };
  };

  test.each([
    ["needs a new revision: the last rollout failed [after-failure]", "roll out"],
    ["any words [after-failure]", "roll out"],
    ["continues to wait for the rollout that is still in progress [resumes-wait]", "wait"],
    ["any words [resumes-wait]", "wait"],
    ["stores the control plane's new address [new-address]", "record"],
    ["any words [new-address]", "record"],
    [
      "must be what the server chose, for it cannot be changed in place: sourceConfig.integrationId none → a [confirm]",
      "record",
    ],
    ["needs a new revision (value not known yet): sourceRevisionConfig.repoRef [revision?]", "roll out"],
  ])("determines the action from the reason: %s", (shown, expected) => {
    expect(action(shown).action).toBe(expected);
  });

  test("reports the action as unclear, and expects a rollout, if a reason cannot be parsed", () => {
    expect(action("needs a new [secret]: sourceRevisionConfig.repoRef")).toEqual({
      action: "unclear",
      rollsOut: true,
    });
    expect(action(undefined)).toEqual({ action: "unclear", rollsOut: true });
  });

  test("warns about a possible replacement if a value is unknown", () => {
    const report = reportOf(
      previewOf([updated("agent", "may be replaced (value not known yet): sourceConfig.repoUrl [replace?]")]),
    );
    expect(terminalReport(report)).toContain("or is replaced: a value is not known yet");
    expect(deployment(report, "agent").mayReplace).toBe(true);
  });
});

test("reports why the engine requires a replacement", () => {
  const resource = updated("agent", "needs a new revision: sourceRevisionConfig.repoRef a → b [revision]", {
    operation: "replace",
    replaceReasons: ["sourceRevisionConfig"],
  });
  const shown = terminalReport(reportOf(previewOf([resource])));
  expect(shown).toContain("Requires the replacement\n    sourceRevisionConfig");
  expect(shown).toContain("Changes as part of the replacement\n    sourceRevisionConfig.repoRef: a → b");
});

test("reports each preview warning under its deployment, in both preview formats", () => {
  const urn = urnOf("agent");
  const said = {
    urn,
    message: "sourceRevisionConfig.repoRef: there is no branch maine",
    severity: "warning",
  };
  const digest = JSON.stringify({
    steps: [{ op: "same", urn }],
    diagnostics: [{ ...said, message: `warning: ${said.message}\n` }],
  });
  const metadata = { op: "same", urn, type: dynamicType("Deployment") };
  const events = [
    { diagnosticEvent: said },
    { diagnosticEvent: said },
    { resourcePreEvent: { metadata } },
    { summaryEvent: { result: "succeeded" } },
  ];
  for (const text of [digest, events.map((event) => JSON.stringify(event)).join("\n")])
    expect(terminalReport(reportOf(readPreview(text)))).toContain(
      "agent does not change\n  Warning: sourceRevisionConfig.repoRef: there is no branch maine\n",
    );
});

const waiting = "production stays at 1111111; 2222222 has been verified in staging.";
const environmentsUrn = "urn:pulumi:prod::agents::agentserver:index:Environments::support";

const stackOfAgents = "urn:pulumi:prod::agents::pulumi:pulumi:Stack::agents-prod";

test.each([environmentsUrn, undefined, stackOfAgents])(
  "reports promotion messages with the URN %s, in both preview formats",
  (urn) => {
    const said = { urn, message: `Promotion: ${waiting}\n`, severity: "info" };
    const others = ["Check `npm test` succeeded.", "production stays at home; feed it."].map((message) => ({
      urn,
      message,
      severity: "info",
    }));
    const digest = JSON.stringify({
      steps: [{ op: "same", urn: environmentsUrn }],
      diagnostics: [said, said, ...others],
    });
    const events = [
      { diagnosticEvent: said },
      ...others.map((one) => ({ diagnosticEvent: one })),
      { summaryEvent: { result: "succeeded" } },
    ];
    for (const text of [digest, events.map((event) => JSON.stringify(event)).join("\n")]) {
      const report = reportOf(readPreview(text));
      expect(report.promotions).toEqual([waiting]);
      expect(terminalReport(report)).toContain(`Promotions\n  ${waiting}\n`);
      expect(markdownReport(report)).toContain(`**Promotions:**\n\n- \`${waiting}\`\n`);
    }
  },
);

test("counts resources of other types in one line, without the stack and its providers", () => {
  const other = (type: string, operation: "create" | "update" | "same") =>
    updated(type, undefined, { type, operation, urn: `urn:pulumi:prod::agents::${type}::x` });
  const report = reportOf(
    previewOf([
      other("aws:s3/bucket:Bucket", "create"),
      other("aws:s3/bucket:Bucket", "update"),
      other("random:index:Id", "create"),
      other("random:index:Id", "same"),
      other("pulumi:providers:aws", "create"),
      other("pulumi:pulumi:Stack", "create"),
    ]),
  );
  expect(terminalReport(report)).toBe(
    "prod (agents): no deployment changes\n\n3 resources of other types: 2 create, 1 update\n",
  );
});

test.each([
  [
    "lost",
    "is held by another Pulumi resource, which has to release it first [lost]",
    "none",
    "will fail",
    0,
  ],
  ["reclaimed", "is reclaimed [taken-back]", "patch", "is reclaimed from another", 0],
  [
    "reclaimed with a revision",
    "is reclaimed [taken-back-with-revision]",
    "roll out",
    "is reclaimed from",
    1,
  ],
])(
  "reports a deployment that another resource owns or owned before: %s",
  (_, line, action, note, rollouts) => {
    const refreshLine = "is held by another Pulumi resource, which has to release it first [lost]";
    const held = updated("agent", line, { refresh: { reasons: refreshLine, gone: false } });
    const report = reportOf(previewOf([held]));
    expect(report.deployments[0]).toMatchObject({
      action,
      notes: [expect.stringContaining(note)],
      drift: { gone: false, changes: [], notes: ["another Pulumi resource now owns it"] },
    });
    expect(report.rollouts).toBe(rollouts);
  },
);

test("reports that the new deployment is created before the old one is deleted", () => {
  const shown = "is replaced (created first): name a → b [replace-create-first]";
  const report = reportOf(previewOf([updated("agent", shown, { operation: "replace" })]));
  expect(report.deployments[0]).toMatchObject({ action: "replace", createsFirst: true });
  expect(terminalReport(report)).toContain(
    "agent is replaced (the new deployment is created before the old one is deleted)",
  );
});

describe("facts from the control plane", () => {
  const shown =
    "is replaced (deleted first, with its threads, assistants, crons, and store): name a → b [replace]";
  const replaced = updated("agent", shown, { operation: "replace" });

  test("reports the data that a replacement deletes, and the duration of past rollouts", () => {
    const facts = {
      known: new Map([
        [
          replaced.urn,
          {
            counts: { activeRuns: 1, threads: 12, assistants: 2, crons: 3 },
            rolloutsMs: [60_000, 300_000, 90_000],
          },
        ],
      ]),
    };
    const text = terminalReport(reportOf(previewOf([replaced]), { facts }));
    expect(text).toContain("Also deleted: 1 active run, 12 threads, 3 crons, 2 assistants, and the store");
    expect(text).toContain("Expected duration: 1m30s (median of 3 past rollouts)");
  });

  test("distinguishes adopting a deployment from creating one, and from a name conflict", () => {
    const made = (adopt: string): PreviewedResource => ({
      urn: urnOf("agent"),
      type: dynamicType("Deployment"),
      operation: "create",
      after: { inputs: { name: "agent", adopt }, outputs: {} },
      replaceReasons: [],
    });
    const facts = { known: new Map([[urnOf("agent"), { holder: { id: "dep-7", isOwn: false } }]]) };
    const text = (adopt: string) => terminalReport(reportOf(previewOf([made(adopt)]), { facts }));
    expect(text("always")).toContain("agent adopts an existing deployment");
    expect(text("always")).toContain("Deployment ID: dep-7");
    expect(text("ifOwned")).toContain("the name is used by dep-7");
  });
});

test("redacts secrets, and credentials in URLs, in every string", () => {
  const resource = updated(
    "agent",
    "needs a new revision: sourceRevisionConfig.repoRef a → hush-hush-1 [revision]",
  );
  const preview = previewOf([resource], {
    policies: [
      { policy: "p", pack: "k", level: "advisory", message: "see https://me:token-2@git.example.com/a.git" },
    ],
  });
  const report = reportOf(preview, { redact: (text) => text.replaceAll("hush-hush-1", "[secret]") });
  expect(JSON.stringify(report)).not.toMatch(/hush-hush-1|token-2/);
  expect(terminalReport(report)).toContain("https://***@git.example.com/a.git");
});

test("does not reveal the start of a secret in a shortened initial value", () => {
  const inputs = { name: "agent", sourceConfig: { buildCommand: `${"x".repeat(70)}hush-hush-1` } };
  const resource = updated("agent", undefined, { operation: "create", after: { inputs, outputs: {} } });
  const redact = (text: string) => text.replaceAll("hush-hush-1", "[secret]");
  expect(JSON.stringify(reportOf(previewOf([resource]), { redact }))).not.toContain("hush");
});
