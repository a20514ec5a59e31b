import type { sendUnaryData, ServerUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { plainFailure } from "./failures";
import type { PluginHost } from "./host";
import { Empty, grpc, type messages, PluginInfo, proto } from "./protocol";
import { serviceWithProperties } from "./requests";

/** Maximum size of a request, in bytes: the engine's own limit. */
const maxRequestBytes = 400 * 1_024 * 1_024;

/**
 * Starts the gRPC service of a provider, which accepts connections from this machine only. Responds with UNIMPLEMENTED
 * to the calls that it does not support: Call, List, and Parameterize.
 * @param version version of the package
 * @returns the port, and a function that stops the service
 */
export async function servePlugin(
  host: PluginHost,
  version: string,
): Promise<{ port: number; close: () => void }> {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxRequestBytes,
    "grpc.max_send_message_length": -1,
  });
  server.addService(serviceWithProperties(), implementationOf(host, version));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

function implementationOf(host: PluginHost, version: string): UntypedServiceImplementation {
  // The service responds with UNIMPLEMENTED to all other calls.
  return {
    handshake: unary(() =>
      new proto.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptOutputs(true),
    ),
    getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
    getSchema: unary(() => host.getSchema()),
    checkConfig: unary((request: messages.CheckRequest) => host.checkConfig(request)),
    diffConfig: unary(() => host.diffConfig()),
    configure: unary((request: messages.ConfigureRequest) => host.configure(request)),
    check: unary((request: messages.CheckRequest) => host.check(request)),
    diff: unary((request: messages.DiffRequest) => host.diff(request)),
    create: unary((request: messages.CreateRequest) => host.create(request)),
    update: unary((request: messages.UpdateRequest) => host.update(request)),
    read: unary((request: messages.ReadRequest) => host.read(request)),
    delete: unary((request: messages.DeleteRequest) => host.delete(request)),
    invoke: unary((request: messages.InvokeRequest) => host.invoke(request)),
    construct: unary((request: messages.ConstructRequest) => host.construct(request)),
    cancel: unary(() => host.cancel()),
    attach: unary(() => new Empty()),
    getMapping: unary(() => new proto.GetMappingResponse()),
    getMappings: unary(() => new proto.GetMappingsResponse()),
  };
}

/** Returns the handler for a call with one request and one response. */
function unary<Request, Response>(work: (request: Request) => Response | Promise<Response>) {
  return (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>): void => {
    void Promise.resolve()
      .then(() => work(call.request))
      .then(
        (response) => respond(null, response),
        (error: unknown) => respond(plainFailure(error)),
      );
  };
}
