import * as pulumi from "@pulumi/pulumi";
import type * as LookUp from "../../provider/lookup/lookup";

/** Creates the lookups on the configValue control plane and on agent servers. */
export function lookups(): ReturnType<typeof LookUp.lookUpsWith> {
  // Loaded on demand, so that programs that only declare resources do not load the HTTP client.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { lookUpsWith } = require("../../provider/lookup/lookup") as typeof LookUp;
  const config = new pulumi.Config("agentserver");
  return lookUpsWith({ config: (key) => config.get(key), keys: configValue, env: process.env });
}

/** Returns the value of a configuration key, by default from the namespace of this project. */
function configValue(name: string): string | undefined {
  const [namespace, key] = name.includes(":") ? name.split(/:(.*)/s) : [undefined, name];
  return new pulumi.Config(namespace).get(key);
}
