import type { Call } from "../request/request-context";
import { passOn } from "../request/proxy-response";
import { withoutNulls } from "../schemas";

export const group = "Assistants";

/** Sends a request to the agent and passes its answer on. */
export async function ask(
  { call }: { call: Call },
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return passOn(await call.runtime.send(method, path, body && withoutNulls(body)), call);
}
