/**
 * Returns a predicate for changed properties that cause a replacement according to the `replaceOnChanges` option in the
 * program. The provider has to determine this, because the engine does not know the individual properties of a dynamic
 * resource.
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
