import { asError } from "../errors";
import { credentialsIn } from "../text/address-credentials";
import { redactor } from "../text/redact";
import { loadAxios } from "./lazy-axios";
import type { Network } from "./network";

/** Maximum size of a response, in bytes. */
const maxBytes = 1_048_576;

/** Response to a probe; without a status if there was none. */
export interface ProbeResponse {
  status?: number;
  text: string;
}

/** Sends a `GET` request without credentials of the provider. */
export async function probe(network: Network, url: string, signal: AbortSignal): Promise<ProbeResponse> {
  const hide = redactor(credentialsIn(url));
  try {
    const { status, data } = await loadAxios().get<unknown>(url, {
      maxContentLength: maxBytes,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: () => true,
      signal,
      ...network.routeTo(url, "check").axios,
    });
    return { status, text: hide(String(data)) };
  } catch (error) {
    return { text: hide(asError(error).message) };
  }
}
