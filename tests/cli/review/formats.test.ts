import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import type { Log, Result } from "sarif";
import { formatReport } from "../../../cli/review/formats";
import { fc } from "../../properties";
import { reviewReportSchema, reviewReportSchemaPath } from "../../../cli/review/report";
import { repositoryRoot } from "../../../tools/repository";
import { previewOf, recordedReport, type RecordedPreview, reportOf } from "./previews";

const schema = () => JSON.parse(readFileSync(join(repositoryRoot, reviewReportSchemaPath), "utf8")) as object;

const all: RecordedPreview[] = ["create", "mixed", "policy", "refresh", "broken", "checkfail"];

test("has an up-to-date schema in the package (run `npm run schemas` to update it)", () => {
  expect(schema()).toEqual(JSON.parse(JSON.stringify(reviewReportSchema())));
});

test("writes JSON reports that match the published schema", () => {
  const validate = new Ajv({ allErrors: true }).compile(schema());
  for (const name of all)
    for (const form of ["digest", "events"] as const) {
      const gates = { failOn: ["replace", "delete", "drift", "policy"] as const, maxRollouts: 0 };
      const json: unknown = JSON.parse(formatReport("json", recordedReport(name, form, { gates }), "1.0.0"));
      expect({ valid: validate(json), errors: validate.errors }).toEqual({ valid: true, errors: null });
    }
});

test("escapes terminal control characters in JSON without changing the parsed report", () => {
  const odd = "a\u009b2Jb\u202ec\u001b[31m\u200bd";
  const report = { ...recordedReport("mixed", "events"), stack: odd };
  const json = formatReport("json", report, "1.0.0");
  expect(json).toContain('"a\\u009b2Jb\\u202ec\\u001b[31m\\u200bd"');
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(report)));
});

describe("SARIF", () => {
  const log = (name: RecordedPreview, form: "digest" | "events" = "events") =>
    JSON.parse(
      formatReport("sarif", recordedReport(name, form, { gates: { failOn: ["replace"] } }), "1.0.0"),
    ) as Log;

  test("contains one result for each finding", () => {
    const results = log("mixed").runs[0]!.results!;
    expect(results.map(({ ruleId, level }) => `${level} ${ruleId}`)).toEqual([
      "warning deployment-replaced",
      "warning deployment-deleted",
      "note deployment-rolled-out",
      "note deployment-rolled-out",
      "note deployment-changed",
      "note deployment-changed",
      "error review-failed",
    ]);
    expect(results[0]!.message.text).toContain(
      "billing (invoices) is replaced (deleted first, then recreated)",
    );
  });

  test("reports policies, drift, and a preview that failed", () => {
    const ruleIds = (name: RecordedPreview) => log(name).runs[0]!.results!.map(({ ruleId }) => ruleId);
    expect(ruleIds("policy")).toEqual(expect.arrayContaining(["policy-violated", "policy-reported"]));
    expect(ruleIds("refresh").filter((id) => id === "deployment-drifted")).toHaveLength(2);
    expect(ruleIds("broken")).toEqual(["preview-failed"]);
    expect(log("broken").runs[0]!.invocations).toEqual([{ executionSuccessful: false }]);
  });

  test("gives each result a rule and a location, including the line of the program if known", () => {
    for (const name of all) {
      const [run] = log(name, "digest").runs;
      const rules = run!.tool.driver.rules!.map(({ id }) => id);
      for (const { ruleId, ruleIndex, locations } of run!.results!) {
        expect(rules[ruleIndex!]).toBe(ruleId);
        expect(locations![0]!.physicalLocation!.artifactLocation!.uri).toMatch(/^(index\.js|Pulumi\.yaml)$/);
      }
    }
    const below = { ...recordedReport("mixed", "digest"), folder: "my infra" };
    expect(formatReport("sarif", below, "1.0.0")).toContain('"uri": "my%20infra/index.js"');
    expect(log("mixed", "digest").runs[0]!.results![0]!.locations![0]!.physicalLocation).toEqual({
      artifactLocation: { uri: "index.js" },
      region: { startLine: expect.any(Number) },
    });
  });
});

/** Returns the SARIF log of a preview that failed with this message, for a project in this folder. */
function failedLog(message: string, folder?: string): Log {
  const report = reportOf(previewOf([], { failed: true, errors: [{ message }] }));
  return JSON.parse(formatReport("sarif", { ...report, folder }, "1.0.0")) as Log;
}

test("removes links and placeholders from untrusted text in messages", () => {
  const part = fc.constantFrom(
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "0",
    "12",
    "a",
    "\\",
    "](https://evil.example)",
    "\u001b[0m",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const texts = failedLog(`x${parts.join("")}`).runs[0]!.results!.map(({ message }) => message.text!);
      for (const text of texts) expect(text).not.toMatch(/\[[^\]]*\]\(|\{\d+\}/);
      expect(texts.join()).toContain("x");
    }),
  );
});

test("encodes unusual characters in folder names in a SARIF log", () => {
  const [{ locations }] = failedLog("x", "a\ud800/\u00e9 b").runs[0]!.results as [Result];
  expect(locations![0]!.physicalLocation!.artifactLocation!.uri).toBe("a%EF%BF%BD/%C3%A9%20b/Pulumi.yaml");
});

test("shows only the names of secret values, in every format", () => {
  for (const format of ["terminal", "markdown", "sarif", "json"] as const) {
    const text = formatReport(format, recordedReport("mixed", "events"), "1.0.0");
    expect(text).toContain("MODEL_KEY");
    expect(text).not.toMatch(/canary/i);
    expect(text).not.toContain("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
  }
});
