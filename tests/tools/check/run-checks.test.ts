import { runChecks } from "../../../tools/check/run-checks";
import { Progress } from "../../../tools/progress";

const script = (label: string, code: string) => ({ label, failure: `${label} failed.`, args: ["-e", code] });

async function check(...checks: ReturnType<typeof script>[]) {
  const written: string[] = [];
  const printed: string[] = [];
  const failed = await runChecks(checks, {
    cwd: "/",
    progress: new Progress({ write: (text) => written.push(text) }),
    print: (text) => printed.push(text),
  });
  return {
    failed,
    printed,
    marks: written.filter((line) => /^[✓✗]/.test(line)).map((line) => line.slice(0, 9)),
  };
}

test("runs every check, and prints the output of failed checks with an explanation", async () => {
  expect(
    await check(
      script("check 1", "console.log('a.ts: wrong'); console.error('1 fault'); process.exitCode = 2"),
      script("check 2", "console.log('all is well')"),
      script("check 3", "process.exit(1)"),
    ),
  ).toEqual({
    failed: 2,
    printed: ["a.ts: wrong\n\n1 fault\ncheck 1 failed.\n", "\ncheck 3 failed.\n"],
    marks: ["✗ check 1", "✓ check 2", "✗ check 3"],
  });
});

test("reports a check that cannot be run as failed", async () => {
  const missing = { ...script("check 1", ""), args: ["/nowhere/check.js"] };
  const { failed, printed } = await check(missing);
  expect(failed).toBe(1);
  expect(printed[0]).toContain("Cannot find module '/nowhere/check.js'");
});

test("rejects on an interrupt instead of reporting a failed check", async () => {
  const signal = AbortSignal.abort(new Error("interrupted"));
  const options = { cwd: "/", signal, progress: new Progress({ write: () => true }), print: () => undefined };
  await expect(runChecks([script("check 1", "")], options)).rejects.toThrow("interrupted");
});
