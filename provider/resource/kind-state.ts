import { z } from "zod";
import { AgentServerError } from "../errors";
import { damagedState, location, type ManagedState } from "./managed";
import type { OperationResource } from "./operation";
import type { Props } from "./inputs/values";

const managedOutputs = z.object({
  ownerId: z.string().default(""),
  controlPlane: location.optional(),
  omitted: z.record(z.string(), z.string()).optional(),
  replaced: z.array(z.string()).optional(),
  creationId: z.string().optional(),
  schemaVersion: z.int(),
});

/** Names of the outputs that every kind has. */
export const managedOutputNames: readonly string[] = Object.keys(managedOutputs.shape);

/** Functions and names for reading and writing the state of one kind. */
export interface KindState<State> {
  /** Schema of the outputs: all values in the state except for the inputs. */
  schema: z.ZodObject;
  /** Names of the outputs. */
  outputs: readonly string[];
  schemaVersion: number;
  /** Returns the state with these inputs and outputs. */
  write(resource: Pick<OperationResource, "ownerId">, values: object): State;
  /** @throws AgentServerError `bad_configuration` for state that a newer release has written, and for damaged state */
  read: (values: Props) => State;
  inputsOf<Inputs extends object>(state: Inputs & ManagedState): Inputs;
}

/**
 * Returns the functions that read and write the state of a kind, which consists of its accepted inputs and its outputs.
 * Inputs in state are not validated again: a server has accepted them, but the current schema may be stricter.
 * @param noun name of the kind, such as `assistant`
 * @param schemaVersion version of the state format that this release writes
 */
export function kindState<State extends ManagedState>(
  noun: string,
  outputs: z.ZodObject,
  schemaVersion: number,
): KindState<State> {
  const schema = outputs.extend({ ...managedOutputs.shape, ...outputs.shape }).loose();
  const names = [...Object.keys(outputs.shape), ...managedOutputNames];
  return {
    schema,
    outputs: names,
    schemaVersion,
    write: ({ ownerId }, values) => ({ ...values, ownerId, schemaVersion }) as unknown as State,
    inputsOf: (state) => {
      const written = Object.entries(state).filter(([name]) => !names.includes(name));
      return Object.fromEntries(written) as typeof state;
    },
    read: (values) => {
      const version = values["schemaVersion"] ?? schemaVersion;
      if (typeof version === "number" && version > schemaVersion)
        throw new AgentServerError(
          "bad_configuration",
          `The state of this ${noun} was written by a newer release of pulumi-agentserver (state version ${version}; this release reads up to version ${schemaVersion}). Update the package in this program.`,
        );
      const parsed = schema.safeParse({ ...values, schemaVersion });
      if (parsed.error) throw damagedState(parsed.error);
      return parsed.data as unknown as State;
    },
  };
}
