import type { ResourceInputs } from "../resource/inputs";

/** Returns the names of all variables in the agent's environment, with their paths. @throws NotKnownYet */
export function variableNames(deployment: ResourceInputs): { place: string; name: string }[] {
  return ["secrets", "environmentVariables", "secretReferences"].flatMap((place) => {
    const variables = deployment.at(place);
    return typeof variables === "object" && variables !== null
      ? Object.keys(variables).map((name) => ({ place, name }))
      : [];
  });
}

/**
 * Returns the names of the secrets, from the program or from Kubernetes, or `undefined` if the program does not manage
 * the deployment's secrets.
 *
 * @throws NotKnownYet
 */
export function secretNames(deployment: ResourceInputs): string[] | undefined {
  const secrets = variableNames(deployment).filter(({ place }) => place !== "environmentVariables");
  return deployment.at("secrets") === undefined ? undefined : secrets.map(({ name }) => name);
}
