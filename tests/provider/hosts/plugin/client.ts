import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { PluginHost, type PluginOptions } from "../../../../provider/hosts/plugin/host";
import { servePlugin } from "../../../../provider/hosts/plugin/server";
import type { Props } from "../../../../provider/resource/inputs/values";

const running: (() => void)[] = [];

afterEach(() => {
  for (const close of running.splice(0)) close();
});

/** Starts the gRPC service of a provider plugin. It is stopped at the end of the test. */
export async function connect(
  options: PluginOptions,
  host = new PluginHost(options),
): Promise<ResourceProviderClient> {
  const { port, close } = await servePlugin(host, "1.2.3");
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  running.push(() => {
    client.close();
    close();
  });
  return client;
}

/** Requests and responses of the calls. */
export interface Calls {
  checkConfig: [messages.CheckRequest, messages.CheckResponse];
  diffConfig: [messages.DiffRequest, messages.DiffResponse];
  configure: [messages.ConfigureRequest, messages.ConfigureResponse];
  check: [messages.CheckRequest, messages.CheckResponse];
  diff: [messages.DiffRequest, messages.DiffResponse];
  create: [messages.CreateRequest, messages.CreateResponse];
  update: [messages.UpdateRequest, messages.UpdateResponse];
  read: [messages.ReadRequest, messages.ReadResponse];
  delete: [messages.DeleteRequest, Empty];
  cancel: [Empty, Empty];
  invoke: [messages.InvokeRequest, messages.InvokeResponse];
  construct: [messages.ConstructRequest, messages.ConstructResponse];
}

/** Sends a request. Rejects with the gRPC error. */
export function send<Name extends keyof Calls>(
  client: ResourceProviderClient,
  name: Name,
  request: Calls[Name][0],
): Promise<Calls[Name][1]> {
  type Done = (error: ServiceError | null, response: Calls[Name][1]) => void;
  const call = client[name].bind(client) as unknown as (request: Calls[Name][0], done: Done) => void;
  return new Promise((resolve, reject) =>
    call(request, (error, response) => (error ? reject(error) : resolve(response))),
  );
}

/** Encodes properties. */
export function struct(props: object): Struct {
  return Struct.fromJavaScript(props as Record<string, JavaScriptValue>);
}

/** Decodes properties. */
export function propsIn(message: Struct | undefined): Props {
  return message!.toJavaScript();
}
