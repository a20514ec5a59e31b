import type { Network } from "./network";
import type { Pace } from "./pace";

/** What errors say about the service on the other side. */
export interface ServiceTexts {
  /** What it is called, for example `control plane`. */
  name: string;
  /** Where its address comes from, for example `agentserver:baseUrl`. */
  addressSetting: string;
  /** What to do when something else than the service seems to answer. */
  checkAddress: string;
  /** What to do when the service refuses the credentials. */
  checkCredentials: string;
  /** What to do when the service's certificate is not trusted. */
  checkTrust: string;
}

/** The other side of a transport: what it is, where it is and as whom to speak to it. */
export interface Service {
  texts: ServiceTexts;
  /** Address that the paths of requests are appended to. */
  baseUrl: string;
  /** Headers of every request: the credentials. */
  headers: Readonly<Record<string, string>>;
  /** What the body of a failure says; nothing where it is not one of the service's own. */
  detailOf: (body: unknown) => string | undefined;
  /** Connections, shared by all transports of a session. */
  network: Network;
  /** What all requests to it keep to, if anything. */
  pace?: Pace | undefined;
}
