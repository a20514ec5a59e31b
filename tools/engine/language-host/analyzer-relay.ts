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

/** Starts the policy pack, with what the engine says about the stack if it says it, and resolves to its port. */
export type StartPack = (stack: AnalyzerStackConfigureRequest | undefined) => Promise<string>;

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const lastCallsMs = 500;
const asItIs = (message: Buffer) => message;

/**
 * Answers the engine in the place of a policy pack, and passes everything on to it. A pack finds the stack's
 * configuration in its environment, but the engine sends it in a call: so the pack starts at the first call.
 */
export class AnalyzerRelay {
  private readonly server = new Server(unlimited);
  private pack: Promise<Client> | undefined;

  constructor(private readonly start: StartPack) {
    // Messages travel as bytes: what this host does not know about them is passed on as well.
    const methods = Object.entries(AnalyzerService).map(
      ([name, method]) =>
        [name, { ...method, requestDeserialize: asItIs, responseSerialize: asItIs }] as const,
    );
    this.server.addService(Object.fromEntries(methods), this.handlers());
  }

  /** Resolves to the port. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
  }

  /** Takes no calls any more. Those under way still get their answers; connections that stay open hold nothing up. */
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
      // Comes before the configuration; the engine continues without an answer.
      handshake: ((_call, callback) => callback({ code: status.UNIMPLEMENTED })) as handleUnaryCall<
        Buffer,
        Buffer
      >,
    };
  }

  private relay(path: string): handleUnaryCall<Buffer, Buffer> {
    return ({ request }, callback) => void this.passOn(path, request, callback);
  }

  private async passOn(path: string, request: Buffer, callback: sendUnaryData<Buffer>): Promise<void> {
    const isConfiguration = path === AnalyzerService.configureStack.path;
    try {
      const stack = isConfiguration ? AnalyzerStackConfigureRequest.deserializeBinary(request) : undefined;
      const pack = await (this.pack ??= this.connect(stack));
      pack.makeUnaryRequest(path, asItIs, asItIs, request, (error, answer) => callback(error, answer));
    } catch (error) {
      callback({ code: status.UNAVAILABLE, details: error instanceof Error ? error.message : String(error) });
    }
  }

  private async connect(stack: AnalyzerStackConfigureRequest | undefined): Promise<Client> {
    return new Client(`127.0.0.1:${await this.start(stack)}`, credentials.createInsecure(), unlimited);
  }
}
