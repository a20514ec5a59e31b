/** Returns the leading pieces that fit, and the number of omitted ones. */
export function fit(pieces: string[], room: number): { kept: string[]; left: number } {
  let used = 0;
  const end = pieces.findIndex((piece) => (used += piece.length + 1) > room);
  return end < 0 ? { kept: pieces, left: 0 } : { kept: pieces.slice(0, end), left: pieces.length - end };
}
