import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

const longestLine = 64 * 1024;

/** Calls `take` for every line of a text stream; a line is cut at 64 Ki characters. */
export function eachLine(stream: Readable, take: (line: string) => void): void {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  const add = (text: string) => {
    const parts = text.split("\n");
    const unfinished = parts.pop() ?? "";
    for (const part of parts) {
      take(bounded(pending + part).replace(/\r$/, ""));
      pending = "";
    }
    pending = bounded(pending + unfinished);
  };
  stream.on("data", (chunk: Buffer) => add(decoder.write(chunk)));
  stream.on("close", () => {
    const rest = pending + decoder.end();
    if (rest !== "") take(bounded(rest));
  });
  // A broken pipe has no more lines.
  stream.on("error", () => undefined);
}

function bounded(line: string): string {
  return line.length > longestLine ? line.slice(0, longestLine) : line;
}
