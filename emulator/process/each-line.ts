import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

const longestLine = 64 * 1024;

/** Calls `take` for every line of a stream of text; what a line has beyond 64 Ki characters is dropped. */
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
  // A pipe that breaks has simply no more lines.
  stream.on("error", () => undefined);
}

function bounded(line: string): string {
  return line.length > longestLine ? line.slice(0, longestLine) : line;
}
