import { Network } from "../../../provider/http/network";
import type { Service } from "../../../provider/http/service";
import { controlPlaneService } from "../../../provider/services";

/** A control plane on this machine. */
export function serviceAt(port: number): Service {
  const baseUrl = `http://127.0.0.1:${port}`;
  const connection = { baseUrl, apiKey: "k", tenantId: "t", dialect: undefined, allowMove: false };
  return controlPlaneService(connection, new Network(undefined, undefined));
}
