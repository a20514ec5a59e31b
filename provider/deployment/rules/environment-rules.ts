import { ownerSecretName } from "../../../wire";
import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** Inputs that together form the environment of the agent. */
const places = ["secrets", "environmentVariables", "secretReferences"] as const;

/** Finds reserved variable names, and names that are in more than one input. */
export function environmentFindings(
  wanted: DesiredInputs,
  { table }: Dialect,
  selfHosted: boolean,
): Finding[] {
  const isReserved = (name: string) =>
    table.reservedSecrets?.test(name) || (!selfHosted && table.reservedInTheCloud?.test(name));
  const inputs = places.map((place) => wanted.object(place) ?? {});
  return places.flatMap((place, index) =>
    Object.keys(inputs[index]!).flatMap((name) => {
      const earlier = places.find((_, other) => other < index && Object.hasOwn(inputs[other]!, name));
      return [
        ...(isReserved(name) ? [failure(`${place}.${name}`, "is reserved by the control plane")] : []),
        ...(name === ownerSecretName && place === "secretReferences"
          ? [failure(`${place}.${name}`, "is the name of the ownership tag; choose another one")]
          : []),
        ...(earlier
          ? [failure(`${place}.${name}`, `is in \`${earlier}\` as well; remove it from one of the two`)]
          : []),
      ];
    }),
  );
}
