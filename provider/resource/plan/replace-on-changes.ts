/**
 * Returns a function that is true for changed properties for which the program's option `replaceOnChanges` requests a
 * replacement. The engine does not know single properties of a dynamic resource, so it cannot decide this itself.
 * @param paths as programs write them: `name`, `sourceConfig.repoUrl`, `rollout.triggers[0]`, with `*` for any key
 */
export function replacesOn(paths: readonly string[]): (changed: string) => boolean {
  const wanted = paths.map(keysOf);
  return (changed) => {
    const keys = keysOf(changed);
    // A group that is compared as a whole may have changed in the requested part.
    return wanted.some((path) =>
      path.every((key, at) => keys[at] === undefined || key === "*" || key === keys[at]),
    );
  };
}

function keysOf(path: string): string[] {
  const keys = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g);
  return [...keys].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
