import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../tools/published-facts/facts";

/** The facts of three documents: two were taken from OpenAPI by `npm run published-facts`, one was written by hand. */
export const published = {
  /** The public service's control plane. */
  controlPlane: read("control-plane"),
  /** The agent server of a deployment. */
  agentServer: read("agent-server"),
  /** The control plane of the interface document. */
  interface: read("interface"),
};

function read(name: string): Facts {
  return JSON.parse(readFileSync(join(__dirname, `${name}.facts.json`), "utf8")) as Facts;
}
