import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";

/** Inputs as sent to the engine, with each secret wrapped individually. */
interface Inputs {
  [field: string]: unknown;
  secrets: Record<string, { value: unknown }>;
  sourceConfig: { resourceSpec?: object };
  __call: { urn: string; timeouts?: object; secretPaths: string[] };
}

/** A resource as registered with the engine. */
export interface Registered {
  type: string;
  name: string;
  id?: string;
  inputs: Inputs;
  protect?: boolean;
  retainOnDelete?: boolean;
  /** URNs of the resources that the resource depends on. */
  dependencies?: string[];
}

const registered: Registered[] = [];

/** Runtime functions of Pulumi's SDK, including `waitForRPCs`, which its types omit. */
const runtime = pulumi.runtime as typeof pulumi.runtime & { waitForRPCs: () => Promise<void> };

/**
 * Runs programs without an engine. Every resource gets an ID, and its inputs become its outputs.
 * @param more additional outputs of a resource with these inputs
 * @param isPreview true to run them like a preview
 * @param state outputs in the state of the stack, by URN
 */
export async function withoutEngine(
  more: (inputs: Inputs) => object = () => ({}),
  isPreview = false,
  state: Readonly<Record<string, object>> = {},
): Promise<void> {
  registered.length = 0;
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ id, name, inputs }) => ({
      id: id || `${name}-id`,
      state: { ...(inputs as object), url: "https://agent.example.com", ...more(inputs as Inputs) },
    }),
    call: ({ token }) =>
      token === "pulumi:pulumi:readStackResourceOutputs"
        ? { outputs: Object.fromEntries(Object.entries(state).map(([urn, outputs]) => [urn, { outputs }])) }
        : {},
  };
  // An earlier program may still register outputs.
  await runtime.waitForRPCs().catch(() => {});
  await runtime.setMocks(mocks, "shop", "dev", isPreview, "acme");
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- Called on the monitor that is asked.
const { registerResource, readResource } = MockMonitor.prototype;

// Mocks receive inputs in which one secret makes its parents secret, so tests read the requests instead.
MockMonitor.prototype.registerResource = function (request: RegisterResourceRequest, reply) {
  const options = {
    protect: request.getProtect(),
    retainOnDelete: request.getRetainondelete(),
    dependencies: request.getDependenciesList(),
  };
  keep(request, asItTravels(request.getObject()!), options);
  return registerResource.call(this, request, reply);
};
MockMonitor.prototype.readResource = function (request: ReadResourceRequest, reply) {
  keep(request, asItTravels(request.getProperties()!), { id: request.getId() });
  return readResource.call(this, request, reply);
};

function asItTravels(inputs: Struct): Inputs {
  return Struct.deserializeBinary(inputs.serializeBinary()).toJavaScript() as Inputs;
}

function keep(
  request: { getType(): string; getName(): string },
  inputs: Inputs,
  more: Omit<Registered, "type" | "name" | "inputs">,
): void {
  registered.push({ type: request.getType(), name: request.getName(), inputs, ...more });
}

export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}

/** Waits until this resource is registered, and returns the most recent registration. */
export async function registration(resource: pulumi.CustomResource): Promise<Registered> {
  await valueOf(resource.id);
  return registered.at(-1)!;
}

/** Returns the registration with this name, if any. A component and one of its resources may have the same name. */
export function registeredAs(name: string, typeEnding = ""): Registered | undefined {
  return registered.find((resource) => resource.name === name && resource.type.endsWith(typeEnding));
}

/** Returns all registrations, in order. */
export function allRegistered(): readonly Registered[] {
  return registered;
}
