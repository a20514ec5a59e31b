import type { DeploymentInputs } from "./inputs";

/** Names of the secrets; nothing when the program leaves the deployment's secrets alone. @throws NotKnownYet */
export function secretNames(deployment: DeploymentInputs): string[] | undefined {
  const secrets = deployment.at("secrets");
  return typeof secrets === "object" && secrets !== null ? Object.keys(secrets) : undefined;
}
