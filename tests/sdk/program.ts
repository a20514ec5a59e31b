import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";

/** A resource as the engine was asked for it. */
export interface Registered {
  type: string;
  name: string;
  id?: string;
  /** As they travel: each secret in its own envelope. */
  inputs: Record<string, any>;
}

const registered: Registered[] = [];

/** Runs programs without an engine: every resource gets an id, and its inputs as outputs. */
export async function withoutEngine(): Promise<void> {
  registered.length = 0;
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ id, name, inputs }) => ({
      id: id || `${name}-id`,
      state: { ...inputs, url: "https://agent.example.com" },
    }),
    call: () => ({}),
  };
  await pulumi.runtime.setMocks(mocks, "shop", "dev", false, "acme");
}

const { registerResource, readResource } = MockMonitor.prototype;

// Mocks are shown inputs in which one secret makes everything around it secret, so the requests are looked at.
MockMonitor.prototype.registerResource = function (request: RegisterResourceRequest, reply) {
  keep(request, request.getObject()!.toJavaScript());
  return registerResource.call(this, request, reply);
};
MockMonitor.prototype.readResource = function (request: ReadResourceRequest, reply) {
  keep(request, request.getProperties()!.toJavaScript(), request.getId());
  return readResource.call(this, request, reply);
};

function keep(request: { getType(): string; getName(): string }, inputs: object, id?: string): void {
  registered.push({ type: request.getType(), name: request.getName(), id, inputs });
}

/** The value of an output. */
export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value as Value)));
}

/** What was asked for as this resource. */
export async function registration(resource: pulumi.CustomResource): Promise<Registered> {
  await valueOf(resource.id);
  return registered.at(-1)!;
}
