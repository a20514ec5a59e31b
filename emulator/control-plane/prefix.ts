/** Prefix under which self-hosted installations serve the control plane. */
export const selfHostedPrefix = "/api-host";
