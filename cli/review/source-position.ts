/** Returns the file and line of a position in the engine's format, or `undefined` for a file outside the project. */
export function positionOf(position: string | undefined): { file: string; line: number } | undefined {
  const [, file, line] = /^project:\/\/\/([^#]+)#(\d+)/.exec(position ?? "") ?? [];
  if (!file || !line || file.split("/").includes("..")) return undefined;
  return { file: decoded(file), line: Number(line) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
