/** Which agent server is asked: exactly one of the two. */
export type LookUpServer =
  | {
      /** A deployment of the configured control plane, such as the result of `getDeployment`. */
      deployment: { id: string; url?: string };
      connection?: undefined;
    }
  | {
      deployment?: undefined;
      /** Any other agent server; `apiKeyFrom` names the configuration key or environment variable that has its key. */
      connection: { url: string; apiKeyFrom?: string };
    };
