import type { AxiosRequestConfig } from "axios";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { decoded } from "./proxy";
import { defaultCertificates } from "./trust";

/** As Node's own agents: a connection that is free is kept for 5 s. */
const pool = { keepAlive: true, scheduling: "lifo", timeout: 5_000 } as const;

/** How requests reach the other side: its certificate is always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. */
export function networkOf(
  proxy: URL | undefined,
  certificates: readonly string[] | undefined,
): Pick<AxiosRequestConfig, "proxy" | "httpAgent" | "httpsAgent"> {
  return {
    proxy: proxy ? asAxiosWants(proxy) : false,
    httpAgent: new HttpAgent(pool),
    httpsAgent: new HttpsAgent({
      ...pool,
      rejectUnauthorized: true,
      ...(certificates && { ca: [...defaultCertificates(), ...certificates] }),
    }),
  };
}

function asAxiosWants(proxy: URL): Exclude<AxiosRequestConfig["proxy"], false> {
  const { protocol, hostname, port, username, password } = proxy;
  return {
    protocol,
    host: hostname,
    port: Number(port || (protocol === "https:" ? 443 : 80)),
    ...(username && { auth: { username: decoded(username), password: decoded(password) } }),
  };
}
