/**
 * Tells whether a changed property is one of those for which the program's option `replaceOnChanges` asks for a
 * replacement. The engine knows nothing of single properties of a dynamic resource, so it cannot tell itself.
 * @param paths as programs write them: `name`, `sourceConfig.repoUrl`, `rollout.triggers[0]`, with `*` for any key
 */
export function replacesOn(paths: readonly string[]): (changed: string) => boolean {
  const wanted = paths.map(keysOf);
  return (changed) => {
    const keys = keysOf(changed);
    // A group that is compared as a whole may have changed in the part that is asked for.
    return wanted.some((path) =>
      path.every((key, at) => keys[at] === undefined || key === "*" || key === keys[at]),
    );
  };
}

function keysOf(path: string): string[] {
  const keys = path.matchAll(/\[(?:"((?:[^"\\]|\\.)*)"|([^\]]*))\]|([^.[\]]+)/g);
  return [...keys].map(([, quoted, index, plain]) => quoted ?? index ?? plain ?? "");
}
