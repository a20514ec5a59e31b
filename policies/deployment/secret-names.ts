import type { ResourceInputs } from "../resource/inputs";

/** Names of all variables of the agent's environment, with where they stand. @throws NotKnownYet */
export function variableNames(deployment: ResourceInputs): { place: string; name: string }[] {
  return ["secrets", "environmentVariables", "secretReferences"].flatMap((place) => {
    const variables = deployment.at(place);
    return typeof variables === "object" && variables !== null
      ? Object.keys(variables).map((name) => ({ place, name }))
      : [];
  });
}

/** Names of the secrets, kept here or in Kubernetes; nothing when the program leaves the deployment's secrets alone. @throws NotKnownYet */
export function secretNames(deployment: ResourceInputs): string[] | undefined {
  const secrets = variableNames(deployment).filter(({ place }) => place !== "environmentVariables");
  return deployment.at("secrets") === undefined ? undefined : secrets.map(({ name }) => name);
}
