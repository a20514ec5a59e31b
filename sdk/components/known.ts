import * as pulumi from "@pulumi/pulumi";

/** What Pulumi's outputs have besides what their type says. */
interface Inspectable<Value> {
  isKnown: Promise<boolean>;
  promise(): Promise<Value>;
}

/** The value of an input, or nothing where it is known only after an update. */
export async function valueIfKnown<Value>(input: pulumi.Input<Value>): Promise<{ value: Value } | undefined> {
  const output = pulumi.output(input) as unknown as Inspectable<Value>;
  return (await output.isKnown) ? { value: await output.promise() } : undefined;
}
