import * as pulumi from "@pulumi/pulumi";

/** Members of Pulumi's outputs that the SDK's types omit. */
interface Inspectable<Value> {
  isKnown: Promise<boolean>;
  promise(): Promise<Value>;
}

/** Returns an object with the value of an input; `undefined` if the value is unknown during this preview. */
export async function valueIfKnown<Value>(input: pulumi.Input<Value>): Promise<{ value: Value } | undefined> {
  const output = pulumi.output(input) as unknown as Inspectable<Value>;
  return (await output.isKnown) ? { value: await output.promise() } : undefined;
}
