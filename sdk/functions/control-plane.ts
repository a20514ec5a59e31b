import * as pulumi from "@pulumi/pulumi";
import type * as LookUp from "../../provider/look-up";

/** What functions look things up with, and the client of the connection that the `agentserver` configuration names. */
export function controlPlane(): { lookUp: typeof LookUp; client: ReturnType<typeof LookUp.clientFor> } {
  // Loaded here, so that programs which only declare resources start without the HTTP client.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const lookUp = require("../../provider/look-up") as typeof LookUp;
  const config = new pulumi.Config("agentserver");
  return { lookUp, client: lookUp.clientFor((key) => config.get(key), process.env) };
}
