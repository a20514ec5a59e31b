import { type Connection, type Declaration, Inputs, type Language } from "./declaration";
import { pythonProgram } from "./python";
import { typescriptProgram } from "./typescript";
import { yamlProgram } from "./yaml";

/**
 * Returns a Pulumi program that declares a resource. It contains no keys and no secrets.
 *
 * @throws Error if programs in this language cannot contain the data of the resource
 */
export function programOf(language: Language, declaration: Declaration, connection: Connection): string {
  if (hasKey(declaration.inputs, "__proto__"))
    throw new Error("The resource has the key __proto__, which cannot be passed to the provider.");
  const write = { TypeScript: typescriptProgram, Python: pythonProgram, YAML: yamlProgram }[language];
  return write(declaration, connection);
}

function hasKey(value: unknown, key: string): boolean {
  if (value instanceof Inputs) return hasKey(value.values, key);
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((part) => hasKey(part, key));
}
