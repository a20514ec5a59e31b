import { sizeText } from "../wire";

/** Maximum number of bytes of an agent's response, or of a single event in the response, that are kept in memory. */
export const mostHeldBytes = 256 * 1024 * 1024;

/** Maximum number of bytes of a response that is expected to be short. */
const mostShortBytes = 1024 * 1024;

/** Error for a body that exceeds its size limit. */
export class TooManyBytes extends Error {
  override readonly name = "TooManyBytes";

  constructor(most: number) {
    super(`the response is larger than ${sizeText(most)}`);
  }
}

/**
 * Reads a whole body.
 * @throws TooManyBytes if it exceeds `most` bytes. In that case, the body is closed.
 */
export async function boundedBytes(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) throw new TooManyBytes(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a whole body that is expected to be short, as a string.
 * @throws TooManyBytes if it exceeds 1 MiB
 */
export async function shortText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  return (await boundedBytes(body, mostShortBytes)).toString("utf8");
}
