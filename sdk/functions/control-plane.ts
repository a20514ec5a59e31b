import * as pulumi from "@pulumi/pulumi";
import type * as LookUp from "../../provider/look-up";

/** What can be asked of the control plane that the `agentserver` configuration names. */
export function controlPlane(): ReturnType<typeof LookUp.lookUpsWith> {
  // Loaded here, so that programs which only declare resources start without the HTTP client.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { lookUpsWith } = require("../../provider/look-up") as typeof LookUp;
  const config = new pulumi.Config("agentserver");
  return lookUpsWith((key) => config.get(key), process.env);
}
