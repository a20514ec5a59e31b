import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport } from "../../../tools/mutants/report";

const mutant = (status: string, line: number) => ({
  id: `${line}`,
  mutatorName: "ConditionalExpression",
  replacement: "false",
  status,
  location: { start: { line, column: 7 }, end: { line, column: 12 } },
});

it("counts mutants by status and shows the source lines of undetected ones", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-mutants-"));
  try {
    const file = join(folder, "report.json");
    const mutants = [
      mutant("Killed", 1),
      mutant("Survived", 2),
      mutant("NoCoverage", 3),
      mutant("Killed", 3),
    ];
    const source = "if (a) b();\n  if (c) d();\nif (e) f();\n";
    writeFileSync(
      file,
      JSON.stringify({ files: { "provider/one.ts": { language: "typescript", source, mutants } } }),
    );

    const { counts, undetected } = readReport(file);

    expect(counts).toEqual({ Killed: 2, Survived: 1, NoCoverage: 1 });
    expect(undetected).toEqual([
      "provider/one.ts:2 Survived ConditionalExpression: if (c) d(); → false",
      "provider/one.ts:3 NoCoverage ConditionalExpression: if (e) f(); → false",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
