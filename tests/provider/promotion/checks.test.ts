import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeCheck, runChecks, type CheckFunction } from "../../../provider/promotion/checks";
import type { CheckInputs } from "../../../provider/promotion/gate";
import type { ProbeResponse } from "../../../provider/http/probe";
import { redactor } from "../../../provider/text/redact";
import { repositoryRoot } from "../../../tools/repository";
import { temporaryFolder } from "../../tools/temporary-folder";
import { gone, until } from "../../tools/waiting";

const commit = "1".repeat(40);
const source = { source: "github", artifact: commit };
const node = (program: string) => [process.execPath, "-e", program];

/** Runs the checks. Returns the problem and the log. */
async function checked(
  checks: (CheckInputs | CheckFunction)[],
  { response = { status: 200, text: "" }, signal }: { response?: ProbeResponse; signal?: AbortSignal } = {},
) {
  const logged: string[] = [];
  const problem = await runChecks(checks, source, {
    probe: () => Promise.resolve(response),
    env: { TOKEN: "hush-hush" },
    inform: (text) => void logged.push(text),
    redact: redactor(["hush-hush"]),
    signal,
  });
  return { problem, logged: logged.map((text) => text.replaceAll(process.execPath, "node")) };
}

test("passes the source to a command, and logs its output", async () => {
  const program =
    "console.log(process.env.AGENTSERVER_PROMOTED_ARTIFACT, process.env.AGENTSERVER_PROMOTED_COMMIT)";
  expect(await checked([{ command: node(program) }])).toEqual({
    problem: undefined,
    logged: [`check \`node -e '${program}'\` succeeded for ${commit}:\n${commit} ${commit}`],
  });
});

test("stops at the first check that fails", async () => {
  const last = jest.fn();
  const command = ["false"];
  expect(await checked([() => "fine", { command }, last])).toEqual({
    problem: "check `false` failed (exit code 1)",
    logged: [
      `check function without a name succeeded for ${commit}:\nfine`,
      `check \`false\` failed for ${commit}`,
    ],
  });
  expect(last).not.toHaveBeenCalled();
});

test("reports a command that does not exist", async () => {
  expect((await checked([{ command: ["no-such-program"] }])).problem).toContain("ENOENT");
});

test("redacts a secret that must be quoted for the shell", async () => {
  const secret = "it's-a-secret";
  const name = describeCheck({ command: ["curl", "-H", `X-Key: ${secret}`, "a b"] }, redactor([secret]));
  expect(name).toBe("check `curl -H X-Key: [secret] 'a b'`");
});

test("redacts and limits the output, and removes terminal commands", async () => {
  const program = "process.stdout.write(`${'x'.repeat(5000)} \\u001b[31m${process.env.TOKEN} end`)";
  const { logged } = await checked([{ command: node(program) }]);
  const [, output = ""] = logged[0]!.split(":\n");
  expect(output).toMatch(/^…x+ \[secret\] end$/);
  expect(output).toHaveLength(2001);
});

test("stops a command and its child processes at the time limit", async () => {
  const program =
    "require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }); setTimeout(() => {}, 60000)";
  expect((await checked([{ command: node(program), timeout: "500ms" }])).problem).toMatch(
    /failed \(no result within 1s\)$/,
  );
});

test("does not wait for a process in another process group that keeps the output open", async () => {
  const program =
    "console.log(require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], { stdio: 'inherit', detached: true }).pid); process.exit()";
  const { problem, logged } = await checked([{ command: node(program), timeout: "30s" }]);
  const id = Number(/:\n(\d+)$/.exec(logged[0]!)![1]);
  // Throws if the process has ended.
  process.kill(id, "SIGKILL");
  expect(problem).toBeUndefined();
});

test("stops a command if the update is canceled", async () => {
  const cancel = new AbortController();
  const running = checked([{ command: node("setTimeout(() => {}, 60000)") }], { signal: cancel.signal });
  cancel.abort(new Error("the update was canceled"));
  await expect(running).rejects.toThrow("the update was canceled");
});

const url = "https://user:password@example.com/ready?token=abc";

test.each<[ProbeResponse, string | undefined]>([
  [{ status: 204, text: "" }, undefined],
  [{ status: 503, text: "not yet" }, "check GET https://example.com/ready failed (status 503)"],
  [{ text: "connect ECONNREFUSED" }, "check GET https://example.com/ready failed (connect ECONNREFUSED)"],
])("evaluates the response %j", async (response, expected) => {
  const { problem, logged } = await checked([{ url }], { response });
  expect(problem).toBe(expected);
  expect(logged.join("")).not.toMatch(/password|token/);
});

test.each<[string, CheckFunction, string]>([
  ["throws", () => Promise.reject(new Error("too slow: hush-hush")), "too slow: [secret]"],
  ["returns false", () => false, "it returned false"],
])("fails if a function %s", async (_, check, expected) => {
  expect((await checked([check])).problem).toBe(
    `check function check failed (${expected})`.replace("function check", "function without a name"),
  );
});

const onPosix = process.platform === "win32" ? test.skip : test;

onPosix("ends a command when its program is killed", async () => {
  const file = join(temporaryFolder({}), "pid");
  const command = node(
    `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`,
  );
  const module = pathToFileURL(join(repositoryRoot, "provider", "promotion", "checks.ts")).href;
  const program = `import(${JSON.stringify(module)}).then(({ runChecks }) =>
    runChecks([${JSON.stringify({ command })}], ${JSON.stringify(source)}, { env: process.env, redact: String, inform() {} }))`;
  const loader = pathToFileURL(require.resolve("tsx")).href;
  const killed = spawn(process.execPath, ["--import", loader, "-e", program], { stdio: "inherit" });
  const pid = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  await until(() => pid() > 0);
  killed.kill("SIGKILL");
  await gone(pid());
});
