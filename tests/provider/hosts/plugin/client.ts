import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { PluginHost, type PluginOptions } from "../../../../provider/hosts/plugin/host";
import { servePlugin } from "../../../../provider/hosts/plugin/server";
import type { Props } from "../../../../provider/resource/inputs/values";
import { secretKey } from "../../wire";
import { canary } from "../../world";

const running: (() => void)[] = [];
/** All responses as text, limited to the parts that the engine can display or store as plain text. */
const plain: string[] = [];

afterEach(() => {
  for (const close of running.splice(0)) close();
  expect(plain.splice(0).filter((text) => text.includes(canary))).toEqual([]);
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
    call(request, (error, response) => {
      if (!error) plain.push(name + plainText(response.toObject()));
      else plain.push(name + error.details, ...initFailures(error).map((one) => plainText(one.toObject())));
      return error ? reject(error) : resolve(response);
    }),
  );
}

/** Returns the details of a partial failure. */
export function initFailures(error: ServiceError): messages.ErrorResourceInitFailed[] {
  return error.metadata
    .get("grpc-status-details-bin")
    .flatMap((packed) => Status.deserializeBinary(packed as Buffer).getDetailsList())
    .map((any) => messages.ErrorResourceInitFailed.deserializeBinary(any.getValue_asU8()));
}

/** Returns a message as text, without the values in it that are marked as secret. */
function plainText(message: object): string {
  return JSON.stringify(message, (_key, value: { fieldsMap?: [string, unknown][] } | null) =>
    value?.fieldsMap?.some(([name]) => name === secretKey) ? "secret" : value,
  );
}

/** Encodes properties as a protobuf struct. */
export function struct(props: object): Struct {
  return Struct.fromJavaScript(props as Record<string, JavaScriptValue>);
}

/** Decodes the properties in a protobuf struct. */
export function propsIn(message: Struct | undefined): Props {
  return message!.toJavaScript();
}
