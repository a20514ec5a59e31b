import * as pulumi from "@pulumi/pulumi";

/**
 * Rejects an output as the value of an argument that determines which resources exist, because an output may be unknown
 * in previews.
 * @param path path of the argument in messages, with the component
 * @throws Error with the name of the argument
 */
export function requirePlain(path: string, value: unknown): void {
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    throw new Error(
      `${path} must not be an output, because previews must know its value. Settings inside it can be outputs.`,
    );
}
