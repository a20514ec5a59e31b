// Used only on machines without the official engine: an engine built from source has no language hosts.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { Children } from "./child-process";
import { watchEngine } from "./engine-watch";
import { languageRuntime } from "./service";

const lastCallsMs = 500;

/**
 * Implements `pulumi-language-nodejs [options] <engine address>`, and `pulumi-language-python` with the same arguments:
 * runs programs for an engine that was built from source. Prints its port. Exits when the engine requests it, when it
 * receives a signal, or when the engine exits.
 */
function main(): void {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { tracing: { type: "string" } },
    strict: false,
  });
  const tracing = typeof values.tracing === "string" ? values.tracing : undefined;
  const language = basename(process.argv[1] ?? "") === "pulumi-language-python" ? "python" : "nodejs";
  const children = new Children();
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });

  let leaving: Promise<void> | undefined;
  const leave = () => void (leaving ??= close(server, children));
  server.addService(
    LanguageRuntimeService,
    languageRuntime({ language, engineAddress: positionals[0] ?? "", tracing, children }, leave),
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, leave);
  watchEngine(leave);
  // The engine may close its end of these pipes first; the error is then irrelevant.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
}

/** Stops the child processes, completes pending calls without waiting for open connections, and exits. */
async function close(server: Server, children: Children): Promise<void> {
  await children.stopAll();
  const exit = () => process.exit(0);
  server.tryShutdown(() => process.stdout.write("", exit));
  setTimeout(exit, lastCallsMs);
}

main();
