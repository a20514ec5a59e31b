import { Writable } from "node:stream";
import type { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import type { RunPluginRequest } from "@pulumi/pulumi/proto/language_pb";
import { AnalyzerRelay } from "./analyzer-relay";
import { type Children, nodeCommand, type ProcessResult } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";

/** Output streams of a plugin. */
export interface PluginOutput {
  stdout: Writable;
  stderr: Writable;
}

/**
 * Runs a policy pack until it exits or the signal stops it. As with the official language host, the policy pack runs in
 * its own folder, which is also its last argument, and reads the stack and its configuration from its environment.
 */
export async function runPolicyPack(
  request: RunPluginRequest,
  environment: Record<string, string>,
  { stdout, stderr }: PluginOutput,
  children: Children,
  signal: AbortSignal,
): Promise<ProcessResult> {
  const folder = request.getInfo()!.getProgramDirectory();
  const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});
  const script = findSdkScript("run-policy-pack", folder, `npm install in ${folder}`);
  let end!: (result: ProcessResult | Promise<ProcessResult>) => void;
  const finished = new Promise<ProcessResult>((resolve) => (end = resolve));

  const start = (stack: AnalyzerStackConfigureRequest | undefined) =>
    new Promise<string>((ready, fail) => {
      const result = children.run(
        nodeCommand([...options.nodeArguments, script, ...request.getArgsList(), folder]),
        {
          cwd: folder,
          env: { ...environment, ...optionVariables(options), ...stackVariables(stack) },
          stdout: firstLineTo(ready, stdout),
          stderr,
        },
        signal,
      );
      const tooEarly = ({ code }: ProcessResult) =>
        fail(new Error(`the policy pack in ${folder} exited with code ${code} before it was ready`));
      result.then(tooEarly, fail);
      end(result);
    });

  const relay = new AnalyzerRelay(start);
  signal.addEventListener("abort", () => end({ code: null, signal: "SIGINT" }));
  try {
    stdout.write(`${await relay.listen()}\n`);
    return await finished;
  } finally {
    await relay.close();
  }
}

/** Returns the environment variables from which the SDK reads the stack, under both of the names that it supports. */
function stackVariables(stack: AnalyzerStackConfigureRequest | undefined): Record<string, string> {
  if (!stack) return {};
  const facts = {
    ORGANIZATION: stack.getOrganization(),
    PROJECT: stack.getProject(),
    STACK: stack.getStack(),
    DRY_RUN: String(stack.getDryRun()),
  };
  const named = Object.entries(facts).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(named.map(([name, value]) => [`PULUMI_NODEJS_${name}`, value])),
    ...Object.fromEntries(named.map(([name, value]) => [`PULUMI_${name}`, value])),
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(stack.getConfigMap().entries())),
  };
}

/**
 * Returns a stream that passes the first line, which is the port of the policy pack, to `take`, and forwards all other
 * lines.
 */
function firstLineTo(take: (line: string) => void, rest: Writable): Writable {
  let line: string | undefined = "";
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (line === undefined) return void rest.write(chunk, done);
      line += chunk.toString();
      const end = line.indexOf("\n");
      if (end < 0) return done();
      const [port, more] = [line.slice(0, end), line.slice(end + 1)];
      line = undefined;
      take(port);
      rest.write(more, done);
    },
  });
}
