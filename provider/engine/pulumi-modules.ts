import { createRequire } from "node:module";

/**
 * Loads a module as `@pulumi/pulumi` does, because its generated code works only with the copies of gRPC and Protocol
 * Buffers with which it was installed. The bundler of the executables finds these calls by their name and literal.
 */
export function ofPulumi(module: string): unknown {
  return createRequire(require.resolve("@pulumi/pulumi/package.json"))(module);
}
