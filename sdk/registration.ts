import { AsyncLocalStorage } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import {
  dynamicType,
  pluginType,
  type TypeName,
  typeNameOf,
} from "../provider/resource/ownership/type-token";
import { hiddenInputs } from "./hidden-inputs";
import { providerText } from "./provider-text";

/** Context in which the provider plugin constructs a component. */
export interface PluginScope {
  /** Options that select the plugin for the provider's own resources and functions. */
  options: { version: string; pluginDownloadURL: string };
  /** Signal that is aborted when the construction must end, for example because the update was canceled. */
  signal: AbortSignal;
  /** Ends the construction with an error. */
  fail: (error: unknown) => void;
}

/**
 * Scope that is set while the provider plugin constructs a component. Within it, the classes register resources of the
 * plugin instead of dynamic resources.
 */
export const pluginScope = new AsyncLocalStorage<PluginScope>();

/** Type, additional inputs, and options for registering a resource. */
interface Registration {
  type: string;
  added: pulumi.Inputs;
  opts: pulumi.CustomResourceOptions;
}

/**
 * Returns the registration of a resource, either for the dynamic provider or for the provider plugin. The type of the
 * other provider is an alias, so that a program can switch between the providers.
 * @param kind name of the resource's kind
 * @param inputs inputs of the program
 */
export function registrationOf(
  typeName: TypeName,
  kind: string,
  name: string,
  inputs: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): Registration {
  const scope = pluginScope.getStore();
  const [dynamic, plugin] = [dynamicType(typeName), pluginType(typeName)];
  if (scope)
    return {
      type: plugin,
      added: {},
      opts: pulumi.mergeOptions(opts, { aliases: [{ type: dynamic }], ...scope.options }),
    };
  return {
    type: dynamic,
    added: { __provider: providerText(kind), ...hiddenInputs(dynamic, name, inputs, opts) },
    opts: pulumi.mergeOptions(opts, { aliases: [{ type: plugin }] }),
  };
}

/**
 * True if the value is a resource of this type, from either provider. Also accepts a resource that was created by
 * another copy of this package.
 */
export function isOfType(value: unknown, typeName: TypeName): boolean {
  const type = (value as { __pulumiType?: string } | undefined)?.__pulumiType;
  return pulumi.CustomResource.isInstance(value) && type !== undefined && typeNameOf(type) === typeName;
}
