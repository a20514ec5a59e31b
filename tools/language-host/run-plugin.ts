import { Writable } from "node:stream";
import type { RunPluginRequest } from "@pulumi/pulumi/proto/language_pb";
import { RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import type { Children } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";

/** Takes one message of a plugin's output; resolves when the next one may come. */
export type SendOutput = (response: RunPluginResponse) => Promise<void>;

/** Runs a policy pack or another plugin written for Node, streams its output, and sends its exit code last. */
export async function runPlugin(
  request: RunPluginRequest,
  children: Children,
  send: SendOutput,
  signal: AbortSignal,
): Promise<void> {
  const folder = request.getInfo()?.getProgramDirectory();
  if (!folder) throw new Error("the engine did not say which plugin to run");
  const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});

  // Policy packs are special by tradition: they run in their own folder and get its name last.
  const isPolicyPack = request.getKind() === "analyzer";
  const script = findSdkScript(
    isPolicyPack ? "run-policy-pack" : "run-plugin",
    folder,
    `npm install in ${folder}`,
  );
  const pluginArguments = isPolicyPack
    ? [...request.getArgsList(), folder]
    : [folder, ...request.getArgsList()];

  const ending = await children.run(
    [...options.nodeArguments, script, ...pluginArguments],
    {
      cwd: isPolicyPack ? folder : request.getPwd(),
      env: { ...variables(request.getEnvList()), ...optionVariables(options) },
      stdout: outputTo(send, "setStdout"),
      stderr: outputTo(send, "setStderr"),
    },
    signal,
  );
  await send(new RunPluginResponse().setExitcode(ending.code ?? 1));
}

function outputTo(send: SendOutput, part: "setStdout" | "setStderr"): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (chunk.length === 0) return done();
      send(new RunPluginResponse()[part](chunk)).then(() => done(), done);
    },
  });
}

function variables(list: string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((entry) => {
      const equals = entry.indexOf("=", 1);
      return [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}
