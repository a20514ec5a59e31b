import { createRequire } from "node:module";

/**
 * Loads a module from the dependencies of `@pulumi/pulumi`. The generated code of `@pulumi/pulumi` works only with the
 * copies of gRPC and Protocol Buffers that were installed with it. The bundler of the executables finds these calls by
 * function name and string literal.
 */
export function ofPulumi(module: string): unknown {
  return createRequire(require.resolve("@pulumi/pulumi/package.json"))(module);
}
