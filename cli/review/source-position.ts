/**
 * Returns the file and line for a position in the engine's format, or `undefined` if the file is outside the project.
 */
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
