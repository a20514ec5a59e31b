import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** A log line that the engine has received. */
export interface Logged {
  severity: number;
  message: string;
  urn: string;
  ephemeral: boolean;
}

const running: Engine[] = [];

afterEach(() => {
  for (const engine of running.splice(0)) engine.close();
});

/** Imitation of the engine services that providers use. */
export class Engine {
  readonly logged: Logged[] = [];
  private readonly server = new Server();

  private constructor(private readonly answers: boolean) {
    running.push(this);
  }

  /** @param answers - True if the engine responds to log requests. */
  static async start(answers = true): Promise<Engine & { address: string }> {
    const engine = new Engine(answers);
    const log = (call: ServerUnaryCall<LogRequest, Empty>, reply: sendUnaryData<Empty>) => {
      const line = call.request;
      engine.logged.push({
        severity: line.getSeverity(),
        message: line.getMessage(),
        urn: line.getUrn(),
        ephemeral: line.getEphemeral(),
      });
      if (engine.answers) reply(null, new Empty());
    };
    engine.server.addService(EngineService, { log });
    const port = await new Promise<number>((resolve, reject) =>
      engine.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
    return Object.assign(engine, { address: `127.0.0.1:${port}` });
  }

  close(): void {
    this.server.forceShutdown();
  }
}
