import type * as grpcModule from "@grpc/grpc-js";
import type * as pluginMessages from "@pulumi/pulumi/proto/plugin_pb";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import type * as statusMessages from "@pulumi/pulumi/proto/status_pb";
import type * as protobuf from "google-protobuf";
import type * as anyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as emptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as structMessages from "google-protobuf/google/protobuf/struct_pb";
import { ofPulumi } from "../../engine/pulumi-modules";

export const grpc = ofPulumi("@grpc/grpc-js") as typeof grpcModule;
export const proto = ofPulumi("@pulumi/pulumi/proto/provider_pb") as typeof messages;
export const { PluginInfo } = ofPulumi("@pulumi/pulumi/proto/plugin_pb") as typeof pluginMessages;
export const { Status } = ofPulumi("@pulumi/pulumi/proto/status_pb") as typeof statusMessages;
export const { BinaryReader } = ofPulumi("google-protobuf") as typeof protobuf;
export const { Any } = ofPulumi("google-protobuf/google/protobuf/any_pb.js") as typeof anyMessages;
export const { Empty } = ofPulumi("google-protobuf/google/protobuf/empty_pb.js") as typeof emptyMessages;
export const { Struct } = ofPulumi("google-protobuf/google/protobuf/struct_pb.js") as typeof structMessages;
export const { ResourceProviderService } = ofPulumi("@pulumi/pulumi/proto/provider_grpc_pb") as {
  ResourceProviderService: ServiceDefinition;
};

// A map keeps its entries in a plain object, in which an assignment to `__proto__` adds no entry.
const { prototype } = Struct;
// eslint-disable-next-line @typescript-eslint/unbound-method -- Called with the message.
const { getFieldsMap } = prototype;
prototype.getFieldsMap = function (this: StructMessage) {
  const map = getFieldsMap.call(this);
  for (const part of Object.values(map) as unknown[]) if (isPlain(part)) Object.setPrototypeOf(part, null);
  return map;
};

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export type { messages };
export type ServiceDefinition = grpcModule.ServiceDefinition;
export type StructMessage = structMessages.Struct;
