// Token that the control plane sends to this process with every request. It is created here and reported over the link,
// so that neither the arguments nor the environment of the process contain it.
import { randomBytes, timingSafeEqual } from "node:crypto";

const header = "x-internal-api-token";

export const token = randomBytes(24).toString("base64url");

/** Headers for requests that this process sends to itself. */
export const ownHeaders = { [header]: token };

/**
 * True if a request contains the token. Removes the token from the request, because no graph, route, or log requires
 * it.
 */
export function takeToken(request) {
  const shown = request.headers[header];
  delete request.headers[header];
  const { rawHeaders } = request;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2)
    if (rawHeaders[i].toLowerCase() === header) rawHeaders.splice(i, 2);
  return shown?.length === token.length && timingSafeEqual(Buffer.from(shown), Buffer.from(token));
}
