import {
  Client,
  credentials,
  type handleUnaryCall,
  type sendUnaryData,
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";

/** Starts the policy pack, with the stack's configuration if the engine has sent it, and resolves with its port. */
export type StartPack = (stack: AnalyzerStackConfigureRequest | undefined) => Promise<string>;

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const lastCallsMs = 500;
const identity = (message: Buffer) => message;

/**
 * Relays calls from the engine to a policy pack. A policy pack reads the stack's configuration from its environment,
 * but the engine sends the configuration in a call. The policy pack is therefore started by the first call.
 */
export class AnalyzerRelay {
  private readonly server = new Server(unlimited);
  private pack: Promise<Client> | undefined;

  constructor(private readonly start: StartPack) {
    // Messages are relayed as bytes, so unknown fields are preserved.
    const methods = Object.entries(AnalyzerService).map(
      ([name, method]) =>
        [name, { ...method, requestDeserialize: identity, responseSerialize: identity }] as const,
    );
    this.server.addService(Object.fromEntries(methods), this.handlers());
  }

  /** Starts listening for calls. Resolves with the port. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
  }

  /** Stops accepting calls. Completes pending calls, but does not wait for open connections. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.tryShutdown(() => resolve());
      setTimeout(resolve, lastCallsMs).unref();
    });
    this.server.forceShutdown();
    (await this.pack?.catch(() => undefined))?.close();
  }

  private handlers(): UntypedServiceImplementation {
    const relayed = Object.entries(AnalyzerService).map(
      ([name, { path }]) => [name, this.relay(path)] as const,
    );
    return {
      ...Object.fromEntries(relayed),
      // The engine sends the handshake before the configuration, and continues if the handshake is not implemented.
      handshake: ((_call, callback) => callback({ code: status.UNIMPLEMENTED })) as handleUnaryCall<
        Buffer,
        Buffer
      >,
    };
  }

  private relay(path: string): handleUnaryCall<Buffer, Buffer> {
    return ({ request }, callback) => void this.forward(path, request, callback);
  }

  private async forward(path: string, request: Buffer, callback: sendUnaryData<Buffer>): Promise<void> {
    const isConfiguration = path === AnalyzerService.configureStack.path;
    try {
      const stack = isConfiguration ? AnalyzerStackConfigureRequest.deserializeBinary(request) : undefined;
      const pack = await (this.pack ??= this.connect(stack));
      pack.makeUnaryRequest(path, identity, identity, request, (error, answer) => callback(error, answer));
    } catch (error) {
      callback({ code: status.UNAVAILABLE, details: error instanceof Error ? error.message : String(error) });
    }
  }

  private async connect(stack: AnalyzerStackConfigureRequest | undefined): Promise<Client> {
    return new Client(`127.0.0.1:${await this.start(stack)}`, credentials.createInsecure(), unlimited);
  }
}
