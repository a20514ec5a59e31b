import { ownerSecretName } from "../../../wire";
import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** Inputs that together form the environment of the agent. */
const places = ["secrets", "environmentVariables", "secretReferences"] as const;

/** True if the control plane reserves the name of a variable. */
export function isReserved(name: string, { table }: Dialect, selfHosted: boolean): boolean {
  const patterns = [table.reservedSecrets, selfHosted ? undefined : table.reservedInTheCloud];
  return patterns.some((pattern) => pattern?.test(name));
}

/** Finds reserved variable names, and names that occur in more than one input. */
export function environmentFindings(wanted: DesiredInputs, dialect: Dialect, selfHosted: boolean): Finding[] {
  const inputs = places.map((place) => wanted.object(place) ?? {});
  return places.flatMap((place, index) =>
    Object.keys(inputs[index]!).flatMap((name) => {
      const earlier = places.find((_, other) => other < index && Object.hasOwn(inputs[other]!, name));
      return [
        ...(isReserved(name, dialect, selfHosted)
          ? [failure(`${place}.${name}`, "is reserved by the control plane")]
          : []),
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
