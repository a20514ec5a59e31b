import type * as grpcModule from "@grpc/grpc-js";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as engineMessages from "@pulumi/pulumi/proto/engine_pb";
import { ofPulumi } from "./pulumi-modules";

/** The engine's log, in which each message refers to a resource. */
export interface EngineLog {
  /** Logs a line that stays in the resource's diagnostics. */
  write(urn: string, severity: "info" | "warning", message: string): Promise<void>;
  /** Writes a line to the resource's status column, and replaces the previous line. */
  status(urn: string, message: string): Promise<void>;
}

/** Log of a process that was not started by an engine. */
const silentLog: EngineLog = { write: async () => {}, status: async () => {} };

/** Returns the address of the engine that started this process: the last argument that is an address. */
export function engineAddress(argv: readonly string[]): string | undefined {
  return argv.findLast((argument) => /^127\.0\.0\.1:\d+$/.test(argument));
}

/**
 * Returns the log of the engine that started this process. Opens its own connection to the engine, because a dynamic
 * provider does not receive one.
 */
export function engineLog(argv: readonly string[]): EngineLog {
  const address = engineAddress(argv);
  if (!address) return silentLog;
  let connected: Connected | undefined;
  return {
    write: (urn, severity, message) => send((connected ??= connect(address)), urn, severity, message, false),
    status: (urn, message) => send((connected ??= connect(address)), urn, "info", message, true),
  };
}

interface Connected {
  client: EngineClient;
  messages: typeof engineMessages;
  noMetadata: grpcModule.Metadata;
}

function connect(address: string): Connected {
  // The credentials must come from the same copy of gRPC that the generated client uses.
  const grpc = ofPulumi("@grpc/grpc-js") as typeof grpcModule;
  const { EngineClient: Client } = ofPulumi("@pulumi/pulumi/proto/engine_grpc_pb") as {
    EngineClient: new (address: string, credentials: grpcModule.ChannelCredentials) => EngineClient;
  };
  const messages = ofPulumi("@pulumi/pulumi/proto/engine_pb") as typeof engineMessages;
  const client = new Client(address, grpc.credentials.createInsecure());
  return { client, messages, noMetadata: new grpc.Metadata() };
}

/** Maximum time that the engine may take to accept a line, in milliseconds. */
const maxWaitMs = 5_000;

/** A log that never fails, because a message that cannot be delivered must not stop the operation. */
export interface BestEffortLog extends EngineLog {
  /** Resolves when all messages have been delivered or abandoned. */
  flush(): Promise<void>;
}

/** Wraps a log so that it never fails. */
export function bestEffort(log: EngineLog): BestEffortLog {
  const underWay = new Set<Promise<void>>();
  const quietly = (speak: () => Promise<void>) => {
    // A failure cannot be reported anywhere.
    const saying = Promise.resolve()
      .then(speak)
      .catch(() => undefined);
    underWay.add(saying);
    return saying.finally(() => underWay.delete(saying));
  };
  return {
    write: (...line) => quietly(() => log.write(...line)),
    status: (...line) => quietly(() => log.status(...line)),
    flush: async () => void (await Promise.all(underWay)),
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
  const options = { deadline: Date.now() + maxWaitMs };
  return new Promise((resolve) => client.log(request, noMetadata, options, () => resolve()));
}
