import { asError } from "../errors";
import { credentialsIn } from "../text/address-credentials";
import { redactor } from "../text/redact";
import { loadAxios } from "./lazy-axios";
import type { Network } from "./network";

/** Maximum size of a response, in bytes. */
const maxBytes = 1_048_576;

/** Response to a probe; `status` is missing if there was no response. */
export interface ProbeResponse {
  status?: number;
  text: string;
}

/** Body, headers, and signal of a JSON request. */
export interface JsonRequest {
  body: object;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/**
 * Axios options for all requests. Redirects are not followed, because a target may be a login page, and must not
 * receive secret headers.
 */
const common = {
  maxContentLength: maxBytes,
  maxRedirects: 0,
  responseType: "text",
  transformResponse: (text: unknown) => text,
  validateStatus: () => true,
} as const;

/** Sends a `GET` request without the provider's credentials. */
export async function probe(network: Network, url: string, signal: AbortSignal): Promise<ProbeResponse> {
  const hide = redactor(credentialsIn(url));
  try {
    const { status, data } = await loadAxios().get<unknown>(url, {
      ...common,
      signal,
      ...network.routeTo(url, "check").axios,
    });
    return { status, text: hide(String(data)) };
  } catch (error) {
    return { text: hide(asError(error).message) };
  }
}

/** Sends a `POST` request with a JSON body, without the provider's credentials. */
export async function postJson(
  network: Network,
  url: string,
  { body, headers, signal }: JsonRequest,
): Promise<ProbeResponse> {
  try {
    // The HTTP library would drop some keys of an object.
    const { status, data } = await loadAxios().post<unknown>(url, JSON.stringify(body), {
      ...common,
      headers: { "content-type": "application/json", ...headers },
      signal,
      ...network.routeTo(url, "judge").axios,
    });
    return { status, text: String(data) };
  } catch (error) {
    return { text: asError(error).message };
  }
}
