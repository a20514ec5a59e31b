import * as pulumi from "@pulumi/pulumi";
import { pluginType, type TypeName } from "../provider/resource/ownership/type-token";

/** Adds the type of the provider plugin as an alias, so that a program can return from the plugin to the class. */
export function withPluginAlias(
  typeName: TypeName,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions(opts, { aliases: [{ type: pluginType(typeName) }] });
}
