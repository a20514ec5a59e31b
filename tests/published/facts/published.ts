import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../tools/published-facts/facts";

/**
 * Facts from three documents. Two documents were extracted from OpenAPI by `npm run published-facts`, and one was
 * written manually.
 */
export const published = {
  /** Facts about the control plane of the public service. */
  controlPlane: read("control-plane"),
  /** Facts about the agent server of a deployment. */
  agentServer: read("agent-server"),
  /** Facts about the control plane in the interface document. */
  interface: read("interface"),
};

function read(name: string): Facts {
  return JSON.parse(readFileSync(join(__dirname, `${name}.facts.json`), "utf8")) as Facts;
}
