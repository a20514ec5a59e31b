import type { RequestContext } from "../request/request-context";
import { proxyResponse } from "../request/proxy-response";
import { withoutNulls } from "../schemas";

export const group = "Assistants";

/** Sends a request to the agent and forwards the response. */
export async function proxyToAgent(
  { context }: { context: RequestContext },
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return proxyResponse(await context.client.send(method, path, body && withoutNulls(body)), context);
}
