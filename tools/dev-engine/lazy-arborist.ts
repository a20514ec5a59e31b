import Module from "node:module";
import { join } from "node:path";

interface Loader {
  _load: (this: unknown, request: string, parent: NodeJS.Module | undefined, isMain: boolean) => unknown;
}

const importer = join("runtime", "closure", "codePaths.js");

/**
 * Defers the SDK's import of `@npmcli/arborist` until it is used. This package makes up a third of the modules that the
 * SDK loads, and is used only to find the packages of a serialized function.
 */
export function deferArborist(): void {
  const loader = Module as unknown as Loader;
  const load = loader._load;
  loader._load = function (request, parent, isMain) {
    const loadNow = () => load.call(this, request, parent, isMain);
    const isDeferred = request === "@npmcli/arborist" && parent?.filename.endsWith(importer);
    return isDeferred ? deferred(loadNow) : loadNow();
  };
}

function deferred(load: () => unknown): object {
  // The SDK reads all properties of a module that does not have `__esModule`.
  const get = (_: object, key: string | symbol): unknown =>
    key === "__esModule" || Reflect.get(load() as object, key);
  return new Proxy({}, { get });
}
