import * as pulumi from "@pulumi/pulumi";
import type * as LookUp from "../../provider/lookup/lookup";

/** What can be asked of the control plane that the `agentserver` configuration names, and of agent servers. */
export function lookUps(): ReturnType<typeof LookUp.lookUpsWith> {
  // Loaded here, so that programs which only declare resources start without the HTTP client.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { lookUpsWith } = require("../../provider/lookup/lookup") as typeof LookUp;
  const config = new pulumi.Config("agentserver");
  return lookUpsWith({ config: (key) => config.get(key), keys: configured, env: process.env });
}

/** The value of a configuration key, of this project where it names no other namespace. */
function configured(name: string): string | undefined {
  const [namespace, key] = name.includes(":") ? name.split(/:(.*)/s) : [undefined, name];
  return new pulumi.Config(namespace).get(key);
}
