import type { Call } from "../call/call";
import { passOn } from "../call/passing";
import { withoutNulls } from "../schemas";

export const group = "Assistants";

/** The agent's answer to a request, passed on. */
export async function ask(
  { call }: { call: Call },
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return passOn(await call.runtime.send(method, path, body && withoutNulls(body)), call);
}
