/** Shortens paragraphs to a total of at most `room` bytes. Keeps the title and the end of long paragraphs. */
export function shortened(paragraphs: string[], room: number): string[] {
  const share = Math.floor(room / Math.max(1, paragraphs.length));
  return paragraphs.map((paragraph) => {
    if (Buffer.byteLength(paragraph) <= share) return paragraph;
    const [title = "", ...lines] = paragraph.split("\n");
    if (lines.length === 0) return `${firstBytes(title, share - 3)}…`;
    const head = firstBytes(title, share / 2);
    // The end of a log contains more information than its beginning.
    return `${head}\n  …${lastBytes(lines.join("\n"), share - Buffer.byteLength(head) - 6)}`;
  });
}

function firstBytes(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, "");
}

function lastBytes(text: string, bytes: number): string {
  const all = Buffer.from(text);
  return all
    .subarray(Math.max(0, all.length - bytes))
    .toString()
    .replace(/^\ufffd+/, "");
}
