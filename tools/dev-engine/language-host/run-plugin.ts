import { Writable } from "node:stream";
import { type RunPluginRequest, RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import { type Children, nodeCommand, type ProcessResult } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";
import { type PluginOutput, runPolicyPack } from "./run-policy-pack";

/** Sends one message with a plugin's output. Resolves when the next one can be sent. */
export type SendOutput = (response: RunPluginResponse) => Promise<void>;

/** Runs a policy pack or another Node.js plugin, streams its output, and sends its exit code last. */
export async function runPlugin(
  request: RunPluginRequest,
  children: Children,
  send: SendOutput,
  signal: AbortSignal,
): Promise<void> {
  const folder = request.getInfo()?.getProgramDirectory();
  if (!folder) throw new Error("the engine did not specify the plugin to run");
  const environment = parseVariables(request.getEnvList());
  const output = { stdout: createOutput(send, "setStdout"), stderr: createOutput(send, "setStderr") };
  const run = request.getKind() === "analyzer" ? runPolicyPack : runOtherPlugin;
  const result = await run(request, environment, output, children, signal);
  await send(new RunPluginResponse().setExitcode(result.code ?? 1));
}

function runOtherPlugin(
  request: RunPluginRequest,
  environment: Record<string, string>,
  output: PluginOutput,
  children: Children,
  signal: AbortSignal,
): Promise<ProcessResult> {
  const folder = request.getInfo()!.getProgramDirectory();
  const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});
  const script = findSdkScript("run-plugin", folder, `npm install in ${folder}`);
  return children.run(
    nodeCommand([...options.nodeArguments, script, folder, ...request.getArgsList()]),
    { cwd: request.getPwd(), env: { ...environment, ...optionVariables(options) }, ...output },
    signal,
  );
}

function createOutput(send: SendOutput, part: "setStdout" | "setStderr"): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (chunk.length === 0) return done();
      send(new RunPluginResponse()[part](chunk)).then(() => done(), done);
    },
  });
}

function parseVariables(list: string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((entry) => {
      const equals = entry.indexOf("=", 1);
      return [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}
