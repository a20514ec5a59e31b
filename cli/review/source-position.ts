/** File and line of a position as the engine writes it; nothing for a file outside the project. */
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
