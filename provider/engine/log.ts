import { createRequire } from "node:module";
import type * as grpcModule from "@grpc/grpc-js";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as engineMessages from "@pulumi/pulumi/proto/engine_pb";

/** Speaks to the user through the engine, in the name of one resource. */
export interface EngineLog {
  /** A line that stays, under the resource's diagnostics. */
  say(urn: string, severity: "info" | "warning", message: string): Promise<void>;
  /** A line in the resource's status column, replaced by the next one. */
  status(urn: string, message: string): Promise<void>;
}

/** For a process that no engine started: nobody listens. */
const silentLog: EngineLog = { say: async () => {}, status: async () => {} };

/**
 * The log of the engine that started this process. A dynamic provider gets no connection of its own: the
 * engine's address is the last one among the arguments.
 */
export function engineLog(argv: readonly string[]): EngineLog {
  const address = argv.findLast((argument) => /^127\.0\.0\.1:\d+$/.test(argument));
  if (!address) return silentLog;
  let connected: Connected | undefined;
  return {
    say: (urn, severity, message) => send((connected ??= connect(address)), urn, severity, message, false),
    status: (urn, message) => send((connected ??= connect(address)), urn, "info", message, true),
  };
}

interface Connected {
  client: EngineClient;
  messages: typeof engineMessages;
  noMetadata: grpcModule.Metadata;
}

function connect(address: string): Connected {
  const pulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  // The credentials must come from the very copy of gRPC that the generated client uses.
  const grpc = pulumi("@grpc/grpc-js") as typeof grpcModule;
  const { EngineClient: Client } = pulumi("@pulumi/pulumi/proto/engine_grpc_pb") as {
    EngineClient: new (address: string, credentials: grpcModule.ChannelCredentials) => EngineClient;
  };
  const messages = pulumi("@pulumi/pulumi/proto/engine_pb") as typeof engineMessages;
  const client = new Client(address, grpc.credentials.createInsecure());
  return { client, messages, noMetadata: new grpc.Metadata() };
}

/** Longest time for the engine to take a line, in milliseconds. */
const patienceMs = 5_000;

/** A log whose failures nobody notices: what cannot be said must not stop what is being done. */
export interface UnfailingLog extends EngineLog {
  /** Resolves when all that was said has arrived, or has been given up. */
  spoken(): Promise<void>;
}

/** The same log, without failures. */
export function unfailing(log: EngineLog): UnfailingLog {
  const underWay = new Set<Promise<void>>();
  const quietly = (speak: () => Promise<void>) => {
    // Nobody is left to hear of a failure.
    const saying = Promise.resolve()
      .then(speak)
      .catch(() => undefined);
    underWay.add(saying);
    return saying.finally(() => underWay.delete(saying));
  };
  return {
    say: (...line) => quietly(() => log.say(...line)),
    status: (...line) => quietly(() => log.status(...line)),
    spoken: async () => void (await Promise.all(underWay)),
  };
}

function send(
  { client, messages, noMetadata }: Connected,
  urn: string,
  severity: "info" | "warning",
  message: string,
  ephemeral: boolean,
): Promise<void> {
  const request = new messages.LogRequest();
  request.setSeverity(severity === "info" ? messages.LogSeverity.INFO : messages.LogSeverity.WARNING);
  request.setMessage(message);
  request.setUrn(urn);
  request.setEphemeral(ephemeral);
  const options = { deadline: Date.now() + patienceMs };
  return new Promise((resolve) => client.log(request, noMetadata, options, () => resolve()));
}
