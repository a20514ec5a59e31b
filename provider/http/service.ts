import type { Network } from "./network";
import type { Pace } from "./pace";

/** Texts about the service in errors. */
export interface ServiceTexts {
  /** Name, for example `control plane`. */
  name: string;
  /** Source of its address, for example `agentserver:baseUrl`. */
  addressSetting: string;
  /** Solution if a different service seems to respond. */
  checkAddress: string;
  /** Solution if the service rejects the credentials. */
  checkCredentials: string;
  /** Solution if the service's certificate is not trusted. */
  checkTrust: string;
}

/** Service that a transport sends requests to: its texts, address and credentials. */
export interface Service {
  texts: ServiceTexts;
  /** Address to which the paths of requests are appended. */
  baseUrl: string;
  /** Headers of every request: the credentials. */
  headers: Readonly<Record<string, string>>;
  /** Returns the error message in a body; `undefined` if the body is not an error of the service. */
  detailOf: (body: unknown) => string | undefined;
  /** Connections, shared by all transports of a session. */
  network: Network;
  /** Rate limit of all requests to it, if any. */
  pace?: Pace | undefined;
}
