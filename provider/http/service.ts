import type { Network } from "./network";
import type { Pace } from "./pace";

/** Wording that error messages use to describe a service. */
export interface ServiceTexts {
  /** Name, for example `control plane`. */
  name: string;
  /** Source of the address, for example `agentserver:baseUrl`. */
  addressSetting: string;
  /** Advice in case a different service seems to respond. */
  checkAddress: string;
  /** Advice in case the service rejects the credentials. */
  checkCredentials: string;
  /** Advice in case the service's certificate is not trusted. */
  checkTrust: string;
  /** Setting that limits the rate of requests, if there is one. */
  limitSetting?: string;
}

/** Service that a transport sends requests to: its address, its credentials, and its description in messages. */
export interface Service {
  texts: ServiceTexts;
  /** Address that the paths of requests are appended to. */
  baseUrl: string;
  /** Headers for every request: the credentials. */
  headers: Readonly<Record<string, string>>;
  /** Returns the error message in a body; `undefined` if the body is not an error from the service. */
  detailOf: (body: unknown) => string | undefined;
  /** Connections, shared by all transports of a session. */
  network: Network;
  /** Rate limit for all requests to the service, if any. */
  pace?: Pace | undefined;
}
