import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programOf } from "../../../../emulator/page/client/program/program";
import {
  ConfigSecret,
  type Declaration,
  Inputs,
  secretKeys,
} from "../../../../emulator/page/client/program/declaration";
import { run } from "../../../../tools/process";
import { Progress } from "../../../../tools/progress";
import { ensurePythonProgram } from "../../../../tools/python/program";
import { describeWithPython } from "../../rollout/runtimes/python/available";
import { connection, declarations, plainInputs, unwrapped } from "./declarations";

jest.setTimeout(280_000);

/** Runs programs without an engine, and prints the inputs of their resources as JSON. */
const script = `
import asyncio, json, sys, pulumi

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)

registered = {}
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        registered[args.typ] = args.inputs
        return [args.name + "-id", args.inputs]
    def call(self, args):
        return {"id": "d-1", "url": "http://127.0.0.1:8123/agents/d-1"}

async def run_all():
    for path in sys.argv[2:]:
        await pulumi.runtime.stack.run_pulumi_func(lambda: exec(compile(open(path).read(), path, "exec"), {}))

pulumi.runtime.set_mocks(Mocks(), project="shop", stack="dev")
pulumi.runtime.set_all_config({"shop:" + key: "value of " + key for key in json.loads(sys.argv[1])})
loop.run_until_complete(run_all())
print(json.dumps(registered))
`;

describeWithPython(__filename)("in Python", () => {
  let folder: string;
  let python: string;
  let env: NodeJS.ProcessEnv;
  const files: string[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "agentserver-programs-"));
    const sdks = join(folder, "sdks");
    const program = await ensurePythonProgram(sdks, { env: process.env, progress: new Progress() });
    [python] = program.command;
    env = { ...process.env, ...program.env, MYPYPATH: join(sdks, "python") };
    for (const [place, declaration] of declarations.entries()) {
      const file = join(folder, `program_${place}.py`);
      writeFileSync(file, programOf("Python", withoutNulls(declaration), connection));
      files.push(file);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("passes the type check against the generated SDK (mypy)", async () => {
    const options = ["--strict", "--follow-imports=silent", "--cache-dir", join(folder, "mypy")];
    const { code, stdout } = await run(python, ["-m", "mypy", ...options, ...files], { cwd: folder, env });
    expect(code === 0 ? "" : stdout).toBe("");
  });

  test("declares the inputs of the resources", async () => {
    const keys = declarations.flatMap((declaration) => [...secretKeys(declaration).values()]);
    const args = ["-c", script, JSON.stringify(keys), ...files];
    const { code, stdout, stderr } = await run(python, args, { cwd: folder, env });
    expect(code === 0 ? "" : stderr).toBe("");
    const registered = JSON.parse(stdout.trim().split("\n").at(-1)!) as Record<string, object>;
    const deployment = { id: "d-1", url: "http://127.0.0.1:8123/agents/d-1" };
    for (const declaration of declarations)
      expect(unwrapped(registered[`agentserver:index:${declaration.kind}`])).toEqual({
        ...(declaration.deployment !== undefined && { deployment }),
        ...plainInputs(withoutNulls(declaration)),
      });
  });
});

/** Returns the declaration without the nulls that Python programs cannot contain. */
function withoutNulls(declaration: Declaration): Declaration {
  const kept = (value: unknown): unknown => {
    if (value instanceof ConfigSecret) return value;
    if (value instanceof Inputs) return new Inputs(kept(value.values) as Record<string, unknown>);
    if (Array.isArray(value)) return value.map(kept);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([, item]) => item !== null);
    return Object.fromEntries(entries.map(([key, item]) => [key, kept(item)]));
  };
  return { ...declaration, inputs: kept(declaration.inputs) as Inputs };
}
