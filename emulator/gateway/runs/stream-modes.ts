/** Events that belong to every mode. */
const always = ["metadata", "error", "end"];

/** True if an event, for example `values` or `updates|subgraph`, belongs to one of the modes. */
function belongs(event: string, modes: string[]): boolean {
  const [name = ""] = event.split("|");
  if (always.includes(name)) return true;
  if (name.startsWith("messages/")) return modes.includes("messages");
  if (name === "messages") return modes.includes("messages-tuple");
  return modes.includes(name);
}

/** Returns a stream that passes only the server-sent events of these modes. */
export function onlyModes(modes: string[]): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      for (const block of blocks) {
        const event = /^event: ?(.*?)\r?$/m.exec(block)?.[1];
        if (event === undefined || belongs(event, modes)) controller.enqueue(encoder.encode(`${block}\n\n`));
      }
    },
  });
}
