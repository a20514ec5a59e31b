/** The pieces of these names, all of them where no name is given; nothing, and a line that says why, for a wrong name. */
export function choosePieces<Piece extends { name: string }>(
  pieces: readonly Piece[],
  names: readonly string[],
): readonly Piece[] | undefined {
  const unknown = names.filter((name) => !pieces.some((piece) => piece.name === name));
  if (unknown.length === 0) return pieces.filter(({ name }) => names.length === 0 || names.includes(name));
  console.error(
    `No such piece: ${unknown.join(", ")}. Pieces: ${pieces.map(({ name }) => name).join(", ")}.`,
  );
  return undefined;
}
