/** Path prefix of the control plane in self-hosted installations. */
export const selfHostedPrefix = "/api-host";
