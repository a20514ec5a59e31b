import type { AxiosRequestConfig } from "axios";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { decoded, proxyFor, type ProxySettings } from "./proxy";
import { defaultCertificates } from "./trust";

/** Options for connections, the same as the default options of Node.js. Idle connections stay open for 5 s. */
const pool = { keepAlive: true, scheduling: "lifo", timeout: 5_000 } as const;

/** Proxy for requests to one address, and the corresponding Axios options. */
export interface Route {
  proxy: URL | undefined;
  axios: Pick<AxiosRequestConfig, "proxy" | "httpAgent" | "httpsAgent">;
}

/**
 * Connection pool for all requests of a session. The server's certificate is always verified, regardless of
 * `NODE_TLS_REJECT_UNAUTHORIZED`.
 */
export class Network {
  private readonly httpAgent = new HttpAgent(pool);
  private readonly httpsAgent: HttpsAgent;

  /** @param certificates CAs in PEM that are trusted in addition to the default certificates */
  constructor(
    private readonly proxies: ProxySettings | undefined,
    certificates: readonly string[] | undefined,
  ) {
    this.httpsAgent = new HttpsAgent({
      ...pool,
      rejectUnauthorized: true,
      ...(certificates && { ca: [...defaultCertificates(), ...certificates] }),
    });
  }

  /**
   * Returns the route to an address.
   * @param service service at that address, for example `control plane`
   * @throws AgentServerError `bad_configuration` for a proxy setting that is not an http or https proxy
   */
  routeTo(address: string, service: string): Route {
    const proxy = proxyFor(address, service, this.proxies);
    const { httpAgent, httpsAgent } = this;
    return { proxy, axios: { proxy: proxy ? asAxiosWants(proxy) : false, httpAgent, httpsAgent } };
  }
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
