/* eslint-disable @typescript-eslint/no-require-imports -- Pulumi does not declare these functions. */
import type * as pulumi from "@pulumi/pulumi";
import type { messages } from "../../provider/hosts/plugin/protocol";

type Request = messages.ConstructRequest;

/** Functions that the providers in Pulumi's own SDK use to construct components. The SDK's types omit them. */
interface Internals {
  state: {
    withLocalStorage: <Result>(work: () => Result) => Result;
    getStore: () => { settings: { monitor?: Connection; engine?: Connection } };
  };
  settings: {
    awaitFeatureSupport: () => Promise<void>;
    waitForRPCs: () => Promise<void>;
    disconnectSync: () => void;
  };
  resource: {
    hookBindingFromProto: (
      message: ReturnType<Request["getResourceHooks"]>,
    ) => pulumi.ResourceHookBinding | undefined;
  };
}

interface Connection {
  close(): void;
}

const state = require("@pulumi/pulumi/runtime/state") as Internals["state"];
const settings = require("@pulumi/pulumi/runtime/settings") as Internals["settings"];
const resource = require("@pulumi/pulumi/runtime/resource") as Internals["resource"];

export const runtime = {
  withLocalStorage: state.withLocalStorage,
  awaitFeatureSupport: settings.awaitFeatureSupport,
  waitForRPCs: settings.waitForRPCs,
  hookBindingFromProto: resource.hookBindingFromProto,

  /** Closes the connections of the current construction. */
  disconnect(): void {
    settings.disconnectSync();
    const { monitor, engine } = state.getStore().settings;
    monitor?.close();
    engine?.close();
  },

  /** Waits until a component has registered its resources and outputs. */
  initialized: (component: pulumi.ComponentResource): Promise<unknown> =>
    (component as unknown as { __data: Promise<unknown> }).__data,

  /** Returns the URN of a resource. */
  urnOf: ({ urn }: pulumi.Resource): Promise<string> =>
    (urn as unknown as { promise(): Promise<string> }).promise(),
};
