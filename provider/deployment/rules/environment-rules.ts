import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** What is wrong with the names of secrets and plain variables, which are one environment. */
export function environmentFindings(
  wanted: DesiredInputs,
  { table }: Dialect,
  selfHosted: boolean,
): Finding[] {
  const isReserved = (name: string) =>
    table.reservedSecrets?.test(name) || (!selfHosted && table.reservedInTheCloud?.test(name));
  const [secrets, plain] = (["secrets", "environmentVariables"] as const).map((place) => ({
    place,
    names: Object.keys(wanted.object(place) ?? {}),
  }));
  const reserved = [secrets!, plain!].flatMap(({ place, names }) =>
    names
      .filter(isReserved)
      .map((name) => failure(`${place}.${name}`, "is a name that the control plane keeps for itself")),
  );
  const twice = plain!.names
    .filter((name) => secrets!.names.includes(name))
    .map((name) =>
      failure(`environmentVariables.${name}`, "is among the secrets too; leave it out in one of the two"),
    );
  return [...reserved, ...twice];
}
