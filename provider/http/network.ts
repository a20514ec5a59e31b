import type { AxiosRequestConfig } from "axios";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { decoded, proxyFor, type ProxySettings } from "./proxy";
import { defaultCertificates } from "./trust";

/** As Node's own agents: a connection that is free is kept for 5 s. */
const pool = { keepAlive: true, scheduling: "lifo", timeout: 5_000 } as const;

/** The way to one address. */
export interface Route {
  proxy: URL | undefined;
  axios: Pick<AxiosRequestConfig, "proxy" | "httpAgent" | "httpsAgent">;
}

/**
 * One pool of connections, for all requests of a session. The other side's certificate is always verified, whatever
 * `NODE_TLS_REJECT_UNAUTHORIZED` says.
 */
export class Network {
  private readonly httpAgent = new HttpAgent(pool);
  private readonly httpsAgent: HttpsAgent;

  /** @param certificates CAs in PEM that are trusted besides the default ones */
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
   * @param service what is at that address, for example `control plane`
   * @throws AgentServerError `bad_configuration` for a proxy setting that names no http or https proxy
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
