import {
  AxiosError,
  AxiosHeaders,
  type AxiosAdapter,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from "axios";
import type { FaultKind } from "../../../../emulator/index";
import type { World } from "../../../provider/world";

/** Ways in which a response or a request is lost. */
const losses = {
  reset: { kind: "reset", when: "after" },
  truncated: { kind: "truncate" },
  "500 after": { kind: "status", status: 500, when: "after" },
  "503 before": { kind: "status", status: 503 },
  "reset before": { kind: "reset", when: "before" },
  "429 before": { kind: "status", status: 429, retryAfter: 2 },
} satisfies Record<string, FaultKind>;

export type Loss = keyof typeof losses;

/** Sends a request that is lost, or whose response is lost. */
export async function lose(
  world: World,
  how: Loss,
  config: InternalAxiosRequestConfig,
  http: AxiosAdapter,
): Promise<AxiosResponse> {
  const { method = "get", url: path = "" } = config;
  if (!isOfControlPlane(config)) return loseAtAgent(losses[how], config, http);
  world.admin.fault({ ...losses[how], method, path });
  return http(config);
}

function isOfControlPlane({ baseURL = "" }: InternalAxiosRequestConfig): boolean {
  return !new URL(baseURL).pathname.startsWith("/agents/");
}

/** Simulates a loss for a request to an agent, because the control plane injects no faults into these requests. */
async function loseAtAgent(
  loss: FaultKind,
  config: InternalAxiosRequestConfig,
  http: AxiosAdapter,
): Promise<AxiosResponse> {
  if (loss.kind === "truncate" || ("when" in loss && loss.when === "after")) await http(config);
  if (loss.kind !== "status") throw new AxiosError("socket hang up", "ECONNRESET", config);
  const { status, retryAfter } = loss;
  const headers = new AxiosHeaders({ "content-type": "application/json" });
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  return { status, statusText: "", headers, config, data: '{"detail":"lost"}', request: {} };
}
