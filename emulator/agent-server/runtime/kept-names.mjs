import { superjson } from "./modules.mjs";

/** Names that the format in which the runtime keeps its state refuses, whatever they name. */
const refused = ["__proto__", "constructor", "prototype"];

/**
 * Makes objects with such names keepable: metadata, inputs and states may have any, and one that could not be kept would
 * keep everything else from being written too.
 */
export function keepAllNames() {
  superjson.registerCustom(
    {
      isApplicable: (value) => isPlain(value) && refused.some((name) => Object.hasOwn(value, name)),
      // As one text: the format finds shared objects by their place, which is another one after reading.
      serialize: (value) => ({ entries: superjson.stringify(Object.entries(value)) }),
      deserialize: ({ entries }) => Object.fromEntries(superjson.parse(entries)),
    },
    "entries",
  );
}

function isPlain(value) {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
