/**
 * Returns the pieces with these names, or all pieces if no names are specified. For an unknown name, prints an error
 * and returns `undefined`.
 */
export function choosePieces<Piece extends { name: string }>(
  pieces: readonly Piece[],
  names: readonly string[],
): readonly Piece[] | undefined {
  const unknown = names.filter((name) => !pieces.some((piece) => piece.name === name));
  if (unknown.length === 0) return pieces.filter(({ name }) => names.length === 0 || names.includes(name));
  console.error(
    `Unknown piece: ${unknown.join(", ")}. Available pieces: ${pieces.map(({ name }) => name).join(", ")}.`,
  );
  return undefined;
}
