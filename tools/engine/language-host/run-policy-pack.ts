import { Writable } from "node:stream";
import type { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import type { RunPluginRequest } from "@pulumi/pulumi/proto/language_pb";
import { AnalyzerRelay } from "./analyzer-relay";
import type { Children, Ending } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";

/** Where a plugin's output goes. */
export interface PluginOutput {
  stdout: Writable;
  stderr: Writable;
}

/**
 * Runs a policy pack until it ends or the signal stops it. It runs in its own folder, gets that as its last argument,
 * and finds the stack and its configuration in its environment, as under the official host.
 */
export async function runPolicyPack(
  request: RunPluginRequest,
  environment: Record<string, string>,
  { stdout, stderr }: PluginOutput,
  children: Children,
  signal: AbortSignal,
): Promise<Ending> {
  const folder = request.getInfo()!.getProgramDirectory();
  const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});
  const script = findSdkScript("run-policy-pack", folder, `npm install in ${folder}`);
  let end!: (ending: Ending | Promise<Ending>) => void;
  const ended = new Promise<Ending>((resolve) => (end = resolve));

  const start = (stack: AnalyzerStackConfigureRequest | undefined) =>
    new Promise<string>((ready, fail) => {
      const ending = children.run(
        [...options.nodeArguments, script, ...request.getArgsList(), folder],
        {
          cwd: folder,
          env: { ...environment, ...optionVariables(options), ...stackVariables(stack) },
          stdout: firstLineTo(ready, stdout),
          stderr,
        },
        signal,
      );
      const tooEarly = ({ code }: Ending) =>
        fail(new Error(`the policy pack in ${folder} ended with exit code ${code} before it was ready`));
      ending.then(tooEarly, fail);
      end(ending);
    });

  const relay = new AnalyzerRelay(start);
  signal.addEventListener("abort", () => end({ code: null, signal: "SIGINT" }));
  try {
    stdout.write(`${await relay.listen()}\n`);
    return await ended;
  } finally {
    await relay.close();
  }
}

/** What the SDK reads about the stack, under the names of a Node program and under the general ones. */
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

/** Keeps the first line, which is the pack's own port, and passes the rest on. */
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
