/** A control plane other than the configured one; exactly one of `baseUrl` and `region` is required. */
export interface OtherControlPlane {
  /** URL of the control plane. */
  baseUrl?: string;
  /** Region of the public service. */
  region?: "us" | "eu";
  /** ID of the workspace; required unless the dialect is `langsmith` and the key belongs to a single workspace. */
  tenantId?: string;
  /** Dialect of the control plane's API. @default detected */
  dialect?: "interface" | "langsmith";
  /** Name of the configuration key or environment variable that contains the API key. */
  apiKeyFrom: string;
}
